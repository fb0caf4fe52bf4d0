import { Badge, Button, Flex, Separator, Text } from '@radix-ui/themes'
import { useNavigate } from 'react-router'

import { useMe, useTakeOver } from '#console/web/api/me.ts'
import { useChange } from '#console/web/api/use-ask.ts'

import { ThemeToggle } from './theme-toggle.tsx'

/** Who is signed in, how the console looks, and the way out. */
export function UserMenu() {
  const { user, seesAll } = useMe()
  return (
    <>
      <Button
        className="shell-user"
        variant="ghost"
        color="gray"
        popoverTarget="user-menu"
        aria-haspopup="true"
      >
        {user.name}
        <Badge color="gray">{user.role}</Badge>
      </Button>
      <div id="user-menu" popover="auto" className="shell-menu" role="group" aria-label="Account">
        <Flex direction="column" gap="3">
          <Text size="2" color="gray">
            Signed in as <strong>{user.name}</strong>, {user.role}
            {seesAll ? '' : `, bound to ${user.projects?.length ?? 0} projects`}
          </Text>
          <Separator size="4" />
          <ThemeToggle />
          <Separator size="4" />
          <SignOut />
        </Flex>
      </div>
    </>
  )
}

function SignOut() {
  const takeOver = useTakeOver()
  const navigate = useNavigate()
  const signOut = useChange('POST /api/logout')
  const leave = async (): Promise<void> => {
    // Whether or not the gateway heard of it: whoever signs out wants to see nothing more here.
    await signOut.mutateAsync({}).catch(() => undefined)
    await navigate('/login')
    takeOver(null)
  }
  return (
    <Button variant="soft" color="gray" loading={signOut.isPending} onClick={() => void leave()}>
      Sign out
    </Button>
  )
}
