import {
  ActivityLogIcon,
  ArchiveIcon,
  BarChartIcon,
  ChatBubbleIcon,
  CubeIcon,
  DashboardIcon,
  GearIcon,
  LightningBoltIcon,
  ListBulletIcon,
  LockClosedIcon,
  PersonIcon,
} from '@radix-ui/react-icons'
import type { ComponentType } from 'react'

import type { Role } from '#console/access/role.ts'

/** A page of the console: where it is, who may see it, and how its code is fetched. */
export interface PageEntry {
  readonly path: string
  readonly title: string
  /** Its sign in the navigation. A page without one is reached from another page. */
  readonly icon?: ComponentType
  /** The least role that it is any use to. */
  readonly role: Role
  /** Whether it is about all projects at once, and so not for whoever is bound to some. */
  readonly isWhole?: true
  readonly load: () => Promise<ComponentType>
}

/** Every page there is, in the order of the navigation. */
export const pages: readonly PageEntry[] = [
  {
    path: '/',
    title: 'Overview',
    icon: DashboardIcon,
    role: 'viewer',
    load: async () => (await import('./pages/overview.tsx')).Overview,
  },
  {
    path: '/playground',
    title: 'Playground',
    icon: ChatBubbleIcon,
    role: 'operator',
    load: async () => (await import('./pages/playground.tsx')).Playground,
  },
  {
    path: '/keys',
    title: 'Keys',
    icon: LockClosedIcon,
    role: 'viewer',
    load: async () => (await import('./pages/keys.tsx')).Keys,
  },
  {
    path: '/keys/new',
    title: 'New key',
    role: 'operator',
    load: async () => (await import('./pages/keys/new-key.tsx')).NewKey,
  },
  {
    path: '/keys/:id',
    title: 'Key',
    role: 'viewer',
    load: async () => (await import('./pages/keys/key-page.tsx')).KeyPage,
  },
  {
    path: '/keys/:id/edit',
    title: 'Change a key',
    role: 'operator',
    load: async () => (await import('./pages/keys/edit-key.tsx')).EditKey,
  },
  {
    path: '/projects',
    title: 'Projects',
    icon: ArchiveIcon,
    role: 'viewer',
    load: async () => (await import('./pages/projects.tsx')).Projects,
  },
  {
    path: '/projects/new',
    title: 'New project',
    role: 'operator',
    isWhole: true,
    load: async () => (await import('./pages/projects/new-project.tsx')).NewProject,
  },
  {
    path: '/projects/:id',
    title: 'Project',
    role: 'viewer',
    load: async () => (await import('./pages/projects/project-page.tsx')).ProjectPage,
  },
  {
    path: '/projects/:id/edit',
    title: 'Change a project',
    role: 'operator',
    isWhole: true,
    load: async () => (await import('./pages/projects/edit-project.tsx')).EditProject,
  },
  {
    path: '/organisation',
    title: 'Organisation',
    role: 'viewer',
    isWhole: true,
    load: async () => (await import('./pages/projects/organisation-page.tsx')).OrganisationPage,
  },
  {
    path: '/organisation/edit',
    title: 'Change the organisation',
    role: 'admin',
    isWhole: true,
    load: async () => (await import('./pages/projects/edit-organisation.tsx')).EditOrganisation,
  },
  {
    path: '/usage',
    title: 'Usage',
    icon: BarChartIcon,
    role: 'viewer',
    load: async () => (await import('./pages/usage.tsx')).Usage,
  },
  {
    path: '/models',
    title: 'Models',
    icon: CubeIcon,
    role: 'viewer',
    load: async () => (await import('./pages/models.tsx')).Models,
  },
  {
    path: '/exchanges',
    title: 'Exchanges',
    icon: ActivityLogIcon,
    role: 'viewer',
    load: async () => (await import('./pages/exchanges.tsx')).Exchanges,
  },
  {
    path: '/engine',
    title: 'Engine',
    icon: LightningBoltIcon,
    role: 'viewer',
    load: async () => (await import('./pages/engine.tsx')).Engine,
  },
  {
    path: '/settings',
    title: 'Settings',
    icon: GearIcon,
    role: 'viewer',
    load: async () => (await import('./pages/settings.tsx')).Settings,
  },
  {
    path: '/audit',
    title: 'Audit',
    icon: ListBulletIcon,
    role: 'admin',
    isWhole: true,
    load: async () => (await import('./pages/audit.tsx')).Audit,
  },
  {
    path: '/users',
    title: 'Users',
    icon: PersonIcon,
    role: 'admin',
    isWhole: true,
    load: async () => (await import('./pages/users.tsx')).Users,
  },
  {
    path: '/users/new',
    title: 'New user',
    role: 'admin',
    isWhole: true,
    load: async () => (await import('./pages/users/new-user.tsx')).NewUser,
  },
  {
    path: '/users/:id',
    title: 'User',
    role: 'admin',
    isWhole: true,
    load: async () => (await import('./pages/users/user-page.tsx')).UserPage,
  },
  {
    path: '/users/:id/edit',
    title: 'Change a user',
    role: 'admin',
    isWhole: true,
    load: async () => (await import('./pages/users/edit-user.tsx')).EditUser,
  },
]
