import { Button, Flex } from '@radix-ui/themes'
import { Navigate, useNavigate, useSearchParams } from 'react-router'

import { useSignedIn, useTakeOver } from '#console/web/api/me.ts'
import { useAsk, useChange } from '#console/web/api/use-ask.ts'
import { Field } from '#console/web/parts/field.tsx'
import { Problem } from '#console/web/parts/problem.tsx'

import { Door } from './door.tsx'
import { formTexts } from './form-texts.ts'

/** Signing in with name and password. */
export function SignIn() {
  const me = useSignedIn()
  const [query] = useSearchParams()
  const next = pathOf(query.get('next'))
  if (me.data !== null && me.data !== undefined) return <Navigate to={next} replace />
  return (
    <Door title="Sign in">
      <FirstRunHint />
      <SignInForm next={next} />
    </Door>
  )
}

function SignInForm({ next }: { readonly next: string }) {
  const navigate = useNavigate()
  const takeOver = useTakeOver()
  const signIn = useChange('POST /api/login')
  const enter = async (form: HTMLFormElement): Promise<void> => {
    takeOver(await signIn.mutateAsync({ body: formTexts(form, ['name', 'password']) }))
    await navigate(next, { replace: true })
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        // What is thrown is shown below.
        enter(event.currentTarget).catch(() => undefined)
      }}
    >
      <Flex direction="column" gap="4">
        <Field label="Name" name="name" autoComplete="username" autoFocus required />
        <Field
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
        />
        {signIn.isError && <Problem error={signIn.error} />}
        <Button type="submit" loading={signIn.isPending}>
          Sign in
        </Button>
      </Flex>
    </form>
  )
}

/** Whoever comes here before there is an administrator needs the URL that the start has printed. */
function FirstRunHint() {
  const status = useAsk('GET /api/setup')
  if (status.data?.isOpen !== true) return null
  return (
    <p className="door-hint">
      No administrator yet? Open the URL that the gateway printed when it started, or make another
      one with <code>npx parley admin setup-token</code>.
    </p>
  )
}

/** Only a path of our own: what names another origin leads to the overview. */
function pathOf(next: string | null): string {
  return next !== null && /^\/(?![/\\])/.test(next) ? next : '/'
}
