import type { PriceList } from './price-list.ts'
import { anthropicPrices } from './prices-anthropic.ts'
import { cerebrasPrices, fireworksPrices, groqPrices, togetherPrices } from './prices-hosts.ts'
import { openaiPrices } from './prices-openai.ts'
import { deepseekPrices, geminiPrices, mistralPrices, xaiPrices } from './prices-vendors.ts'

/**
 * What each vendor's models cost, by the vendor's name in the config. Who resells at prices of its own (a router,
 * another gateway) and what runs on one's own machines is not here.
 */
export const vendorPrices: ReadonlyMap<string, PriceList> = new Map([
  ['openai', openaiPrices],
  // A deployment costs as much as the model, if it has the model's name.
  [
    'azure',
    {
      ...openaiPrices,
      source: 'OpenAI, API pricing page, by the name of the deployment',
      sameAs: 'openai',
    },
  ],
  ['anthropic', anthropicPrices],
  ['gemini', geminiPrices],
  ['mistral', mistralPrices],
  ['deepseek', deepseekPrices],
  ['groq', groqPrices],
  ['together', togetherPrices],
  ['fireworks', fireworksPrices],
  ['xai', xaiPrices],
  ['cerebras', cerebrasPrices],
])
