/** Everything that the audit log can have a row for, by what it is about. */
export const auditActions = {
  Doors: [
    'setup',
    'setup-refused',
    'setup-token',
    'sign-in',
    'sign-in-refused',
    'sign-out',
    'password-change',
    'password-refused',
    'session-end',
  ],
  Users: ['user-create', 'user-update', 'user-password', 'user-remove'],
  Keys: ['key-create', 'key-update', 'key-rotate', 'key-revoke'],
  Projects: ['project-create', 'project-update', 'project-archive', 'organisation-update'],
  Budgets: ['budget-set', 'budget-remove'],
  Usage: ['exchange-correct', 'usage-export', 'usage-prune', 'usage-repair'],
  Content: ['content-read', 'content-erase'],
  Models: [
    'engine-load',
    'engine-unload',
    'engine-pull',
    'engine-remove',
    'upstream-test',
    'upstream-try',
    'playground-ask',
    'playground-key',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** All of them in one list. */
export const everyAction: readonly string[] = Object.values(auditActions).flat()
