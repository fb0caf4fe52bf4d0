import { describe, expect, test } from 'bun:test'

import { failureOf, named, protocols } from '#test/remote-rig.ts'
import {
  json,
  neverAnswer,
  type ScriptedUpstream,
  startScriptedUpstream,
} from '#test/scripted-upstream.ts'
import { buildRemote, type RemoteSettings } from '#upstreams/build-remote.ts'

import { Catalogue } from './catalogue.ts'
import { Health } from './health.ts'
import { type Alias, Router } from './router.ts'
import type { Wish } from './wish.ts'

const listOf = (...ids: readonly string[]) =>
  json(200, { object: 'list', data: ids.map((id) => ({ id })) })

function upstreamAt(up: ScriptedUpstream, name: string, settings: Partial<RemoteSettings> = {}) {
  return buildRemote({ name, protocol: 'chat-completions', url: up.url, ...settings }, protocols)
}

const wish: Wish = {
  leastInput: 1,
  needs: () => ({ images: false, tools: false }),
  prefix: () => '',
  acceptsRescue: () => false,
}

function routing(
  upstreams: readonly ReturnType<typeof upstreamAt>[],
  aliases: readonly Alias[] = [],
) {
  const options = { now: () => clock.now, firstWaitMs: 200 }
  const clock = { now: 0 }
  const names = aliases.map(({ name }) => name)
  const catalogue = new Catalogue({ upstreams, aliases: names, ...options })
  const router = new Router({ upstreams, aliases, catalogue, health: new Health() })
  const route = async (name: string) =>
    (await router.route(named(name), wish)).targets.map(
      ({ upstream, model, isUnlisted }) =>
        `${upstream.name}/${model.model}${isUnlisted === true ? '?' : ''}`,
    )
  return { clock, catalogue, route }
}

describe('a model name', () => {
  test('of the config leads to its targets, in order, whatever else has that name', async () => {
    await using up = await startScriptedUpstream([listOf('fast', 'm')])
    const targets = [
      { upstream: 'two', model: 'm' },
      { upstream: 'one', model: 'x/y' },
    ]
    const { route } = routing(
      [upstreamAt(up, 'one'), upstreamAt(up, 'two')],
      [{ name: 'fast', targets }],
    )
    expect(await route('fast')).toEqual(['two/m', 'one/x/y'])
    expect(up.requests.length).toBe(0)
  })

  test('with an upstream before its slash leads there, listed or not', async () => {
    await using up = await startScriptedUpstream([listOf('m')])
    const { route, catalogue } = routing([upstreamAt(up, 'one'), upstreamAt(up, 'two')])
    await catalogue.list()
    expect(await route('two/m')).toEqual(['two/m'])
    expect(await route('two/org/new')).toEqual(['two/org/new?'])
  })

  test('that upstreams list leads to all of them, in the order of the config', async () => {
    await using one = await startScriptedUpstream([listOf('a', 'both')])
    await using two = await startScriptedUpstream([listOf('b', 'both')])
    const { route } = routing([upstreamAt(one, 'one'), upstreamAt(two, 'two')])
    expect(await route('b')).toEqual(['two/b'])
    expect(await route('both')).toEqual(['one/both', 'two/both'])
  })

  test('on no list leads to the vendor that is known for such names, else to the only upstream', async () => {
    await using up = await startScriptedUpstream([listOf('m')])
    const openai = upstreamAt(up, 'openai', { vendor: 'openai' })
    const two = routing([upstreamAt(up, 'box'), openai])
    expect(await two.route('gpt-9-latest')).toEqual(['openai/gpt-9-latest?'])
    const failure = await failureOf(two.route('whatever'))
    expect(failure).toMatchObject({ code: 'model-unknown', status: 404, param: 'model' })
    expect(await routing([upstreamAt(up, 'box')]).route('whatever')).toEqual(['box/whatever?'])
  })

  test('of an alias whose upstream is not there is a mistake of the config', async () => {
    const alias = { name: 'a', targets: [{ upstream: 'gone', model: 'm' }] }
    expect(() => routing([], [alias])).toThrow('`gone`')
  })
})

describe('the catalogue', () => {
  test('lists the names of the config, then every model once, each by a name that leads to it (M01, M07)', async () => {
    await using one = await startScriptedUpstream([listOf('a', 'both', 'two/x', 'fast')])
    await using two = await startScriptedUpstream([listOf('b', 'both')])
    const aliases = [{ name: 'fast', targets: [{ upstream: 'two', model: 'b' }] }]
    const { catalogue, route } = routing([upstreamAt(one, 'one'), upstreamAt(two, 'two')], aliases)
    const ids = (await catalogue.list()).map(({ id }) => id)
    expect(ids).toEqual(['fast', 'a', 'both', 'one/two/x', 'one/fast', 'b'])
    const routes = await Promise.all(ids.map(route))
    expect(routes.map(([first]) => first)).toEqual([
      'two/b',
      'one/a',
      'one/both',
      'one/two/x',
      'one/fast',
      'two/b',
    ])
  })

  test('finds a model by either name, and none that is not there (M03, M05)', async () => {
    await using up = await startScriptedUpstream([listOf('org/m')])
    const { catalogue } = routing([upstreamAt(up, 'one')])
    expect(await catalogue.find('org/m')).toMatchObject({ id: 'org/m', upstream: 'one' })
    expect(await catalogue.find('one/org/m')).toMatchObject({ id: 'one/org/m', upstream: 'one' })
    expect(await catalogue.find('org')).toBeUndefined()
  })

  test('waits for a dead upstream once, and never again', async () => {
    await using dead = await startScriptedUpstream([neverAnswer])
    await using alive = await startScriptedUpstream([listOf('m')])
    const { catalogue, clock } = routing([upstreamAt(dead, 'dead'), upstreamAt(alive, 'alive')])
    expect((await catalogue.list()).map(({ id }) => id)).toEqual(['m'])
    clock.now += 60_000
    const racing = await Promise.race([catalogue.list(), new Promise(setImmediate)])
    expect(racing).toMatchObject([{ id: 'm' }])
    expect(dead.requests.length).toBe(1)
    catalogue.close()
    await (
      await dead.request(0)
    ).closed
  })

  test('is asked anew when it is stale, behind the scenes, and keeps what it knew through a failure', async () => {
    const second = Promise.withResolvers<void>()
    await using up = await startScriptedUpstream((request) => {
      if (request.index === 1) second.resolve()
      return request.index === 1 ? json(500, 'broken') : listOf(`m${request.index}`)
    })
    const { catalogue, clock } = routing([upstreamAt(up, 'one')])
    const ids = async () => (await catalogue.list()).map(({ id }) => id)
    expect(await ids()).toEqual(['m0'])
    clock.now += 59_999
    expect(await ids()).toEqual(['m0'])
    expect(up.requests.length).toBe(1)
    clock.now += 1
    expect(await ids()).toEqual(['m0'])
    await second.promise
    expect(await ids()).toEqual(['m0'])
  })

  test('is asked again for a model that is not on it, since it may be new', async () => {
    await using up = await startScriptedUpstream([listOf('old'), listOf('old', 'new')])
    await using other = await startScriptedUpstream([listOf('x')])
    const { route, clock } = routing([upstreamAt(up, 'one'), upstreamAt(other, 'two')])
    expect(await route('old')).toEqual(['one/old'])
    expect((await failureOf(route('new')))?.code).toBe('model-unknown')
    expect(up.requests.length).toBe(1)
    clock.now += 5000
    expect(await route('new')).toEqual(['one/new'])
    expect(up.requests.length).toBe(2)
  })
})
