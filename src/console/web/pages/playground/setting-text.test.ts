import { describe, expect, test } from 'bun:test'

import { exampleTools, settingOf, usualSetting } from './setting-text.ts'

describe('what was typed into the settings', () => {
  test('is usable as it is at first, and with the example of a tool', () => {
    expect(settingOf(usualSetting)).toEqual({
      setting: {
        system: '',
        maxTokens: 512,
        temperature: undefined,
        topP: undefined,
        stop: [],
        isStream: true,
        tools: [],
      },
      faults: {},
    })
    const { setting, faults } = settingOf({ ...usualSetting, tools: exampleTools })
    expect([setting.tools[0]?.name, faults]).toEqual(['get_weather', {}])
  })

  test.each([
    ['maxTokens', ''],
    ['maxTokens', '0'],
    ['maxTokens', '1.5'],
    ['maxTokens', 'many'],
    ['temperature', '2.1'],
    ['temperature', '-1'],
    ['temperature', 'hot'],
    ['topP', '1.01'],
    ['tools', '{'],
    ['tools', '{}'],
    ['tools', '[{"name":"x"}]'],
    ['tools', '[{"parameters":{}}]'],
    ['tools', '[null]'],
  ])('is told of where it cannot be: %s %p', (field, text) => {
    expect(Object.keys(settingOf({ ...usualSetting, [field]: text }).faults)).toEqual([field])
  })

  test('has one text to stop at on each line', () => {
    expect(settingOf({ ...usualSetting, stop: 'END\n\n  two \n' }).setting.stop).toEqual([
      'END',
      '  two ',
    ])
  })
})
