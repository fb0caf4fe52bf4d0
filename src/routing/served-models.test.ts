import { expect, test } from 'bun:test'

import type { ModelCard } from '#chat/model-card.ts'
import { protocols } from '#test/remote-rig.ts'
import { buildRemote } from '#upstreams/build-remote.ts'

import { Catalogue } from './catalogue.ts'
import { type ServedModel, servedModels } from './served-models.ts'

const url = 'http://127.0.0.1:9/v1'

const remote = (name: string, serves: readonly string[]) =>
  buildRemote({ name, protocol: 'chat-completions', url, serves }, protocols)

const upstreams = [remote('a', ['one', 'both']), remote('b', ['both', 'a/odd'])]

const targetsOf = ({ targets }: ServedModel) =>
  targets.map(({ model }) => `${model.upstream}/${model.model}`)

async function served(aliases: Parameters<typeof servedModels>[0]['aliases'] = []) {
  const catalogue = new Catalogue({ upstreams, aliases: aliases.map(({ name }) => name) })
  const models = await servedModels({ upstreams, aliases, catalogue })
  return new Map<ModelCard['id'], ServedModel>(models.map((model) => [model.id, model]))
}

test('a listed model is answered by all that list it', async () => {
  const models = await served()
  expect(models.get('one')?.targets.map(({ weight }) => weight)).toEqual([1])
  expect([...models].map(([id, model]) => [id, targetsOf(model)])).toEqual([
    ['one', ['a/one']],
    ['both', ['a/both', 'b/both']],
    ['b/a/odd', ['b/a/odd']],
  ])
})

test('a name of the config is answered by its targets, with their weights, and its rescue last', async () => {
  const targets = [
    { upstream: 'b', model: 'both', weight: 3 },
    { upstream: 'a', model: 'unlisted' },
  ]
  const rescue = { upstream: 'a', model: 'one' }
  const models = await served([{ name: 'smart', targets, strategy: 'weighted', rescue }])
  const smart = models.get('smart')
  expect(smart?.strategy).toBe('weighted')
  expect(smart?.targets.map(({ weight, isRescue }) => [weight, isRescue])).toEqual([
    [3, false],
    [1, false],
    [1, true],
  ])
  expect(smart && targetsOf(smart)).toEqual(['b/both', 'a/unlisted', 'a/one'])
})
