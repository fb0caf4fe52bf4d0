import { Button, Flex } from '@radix-ui/themes'
import { useEffect, useState } from 'react'
import { Link, useNavigate } from 'react-router'

import { useTakeOver } from '#console/web/api/me.ts'
import { useAsk, useChange } from '#console/web/api/use-ask.ts'
import { Field } from '#console/web/parts/field.tsx'
import { Problem } from '#console/web/parts/problem.tsx'

import { Door } from './door.tsx'
import { formTexts } from './form-texts.ts'

/** The shortest password that the gateway takes. */
const leastPassword = 12

/** The first administrator, made with the one-time token from the URL that the start has printed. */
export function Setup() {
  const [token] = useState(() => location.hash.slice(1))
  const status = useAsk('GET /api/setup')
  const navigate = useNavigate()
  useEffect(() => {
    // What lets somebody in does not stay in the address, nor in the history.
    if (location.hash !== '') void navigate('/setup', { replace: true })
  }, [navigate])
  if (status.data?.isOpen === false) return <SetupClosed />
  return (
    <Door
      title="The first administrator"
      lead="There is no default password. Choose a name and a password of your own; the token works once."
    >
      <SetupForm token={token} />
    </Door>
  )
}

function SetupForm({ token }: { readonly token: string }) {
  const takeOver = useTakeOver()
  const navigate = useNavigate()
  const setup = useChange('POST /api/setup')
  const make = async (form: HTMLFormElement): Promise<void> => {
    takeOver(await setup.mutateAsync({ body: formTexts(form, ['token', 'name', 'password']) }))
    await navigate('/', { replace: true })
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        // What is thrown is shown below.
        make(event.currentTarget).catch(() => undefined)
      }}
    >
      <Flex direction="column" gap="4">
        <Field
          label="Setup token"
          name="token"
          defaultValue={token}
          hint="It stands in the URL that the gateway printed, behind the #."
          autoComplete="off"
          required
        />
        <Field label="Name" name="name" autoComplete="username" autoFocus required />
        <Field
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          hint={`At least ${leastPassword} characters.`}
          minLength={leastPassword}
          required
        />
        {setup.isError && <Problem error={setup.error} />}
        <Button type="submit" loading={setup.isPending}>
          Make the administrator
        </Button>
      </Flex>
    </form>
  )
}

function SetupClosed() {
  return (
    <Door
      title="Setup is closed"
      lead={
        <>
          There is an administrator already, the token has run out, or this is not the machine that
          the gateway runs on. <code>npx parley admin setup-token</code> makes another token there.
        </>
      }
    >
      <Button asChild>
        <Link to="/login">Sign in</Link>
      </Button>
    </Door>
  )
}
