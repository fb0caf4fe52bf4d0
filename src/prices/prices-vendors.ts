import type { LongInput, PriceList } from './price-list.ts'

const geminiLong: LongInput = { inputTokens: 200_000, input: 2, output: 1.5 }
const grokLong: LongInput = { inputTokens: 200_000, input: 2, output: 2 }
const olderGrokLong: LongInput = { inputTokens: 128_000, input: 2, output: 2 }

/** What Google charges for the paid tier. Sound costs more than text with some models; the text's price is charged. */
export const geminiPrices: PriceList = {
  source: 'Google, Gemini Developer API pricing page',
  asOf: '2026-10-07',
  prefix: 'models/',
  rows: [
    // The Flash models of 2026 cost half until the end of the year.
    ['gemini-3.8-flash', '2026-09-03', 750_000, 3_750_000, 75_000],
    ['gemini-3.8-flash', '2027-01-01', 1_500_000, 7_500_000, 150_000],
    ['gemini-3.7-flash', '2026-08-14', 750_000, 3_750_000, 75_000],
    ['gemini-3.7-flash', '2027-01-01', 1_500_000, 7_500_000, 150_000],
    ['gemini-3.6-flash', '2026-08-14', 750_000, 3_750_000, 75_000],
    ['gemini-3.6-flash', '2027-01-01', 1_500_000, 7_500_000, 150_000],
    ['gemini-3.5-flash', '2026-05-19', 1_500_000, 9_000_000, 150_000],
    ['gemini-3.5-flash-lite', '2026-07-21', 300_000, 2_500_000, 30_000],
    ['gemini-3.1-pro-preview', '2026-02-19', 2_000_000, 12_000_000, 200_000, undefined, geminiLong],
    ['gemini-3.1-flash-lite', '2026-05-07', 250_000, 1_500_000, 25_000],
    ['gemini-3-pro-preview', '2025-11-18', 2_000_000, 12_000_000, 200_000, undefined, geminiLong],
    ['gemini-3-flash-preview', '2025-12-17', 500_000, 3_000_000, 50_000],
    ['gemini-2.5-pro', '2025-06-17', 1_250_000, 10_000_000, 125_000, undefined, geminiLong],
    ['gemini-2.5-flash', '2025-06-17', 300_000, 2_500_000, 30_000],
    ['gemini-2.5-flash-lite', '2025-07-22', 100_000, 400_000, 10_000],
    ['gemini-2.0-flash', '2025-02-05', 100_000, 400_000, 25_000],
    ['gemini-2.0-flash-lite', '2025-02-25', 75_000, 300_000],
    ['gemini-embedding-001', '2025-07-14', 150_000, 0],
  ],
}

/** What Mistral charges. Names that end in `-latest` move to other models, so few of them have a price here. */
export const mistralPrices: PriceList = {
  source: 'Mistral AI, pricing page',
  asOf: '2026-07-02',
  rows: [
    ['mistral-large-2512', '2025-12-02', 500_000, 1_500_000, 50_000],
    ['mistral-large-2411', '2024-11-18', 2_000_000, 6_000_000],
    ['mistral-medium-2604', '2026-04-29', 1_500_000, 7_500_000],
    ['mistral-medium-2508', '2025-08-12', 400_000, 2_000_000],
    ['mistral-medium-2505', '2025-05-07', 400_000, 2_000_000],
    ['mistral-small-2603', '2026-03-16', 150_000, 600_000, 15_000],
    ['mistral-small-2506', '2025-06-20', 100_000, 300_000],
    ['magistral-medium-2509', '2025-09-17', 2_000_000, 5_000_000],
    ['magistral-small-2509', '2025-09-17', 500_000, 1_500_000],
    ['codestral-2508', '2025-07-30', 300_000, 900_000, 30_000],
    ['codestral-latest', '2025-07-30', 300_000, 900_000, 30_000],
    ['devstral-2512', '2025-12-09', 400_000, 2_000_000, 40_000],
    ['devstral-medium-2507', '2025-07-10', 400_000, 2_000_000],
    ['devstral-small-2507', '2025-07-10', 100_000, 300_000],
    ['ministral-14b-2512', '2025-12-02', 200_000, 200_000, 20_000],
    ['ministral-3b-2512', '2025-12-02', 100_000, 100_000, 10_000],
    ['pixtral-large-2411', '2024-11-18', 2_000_000, 6_000_000],
    ['open-mistral-nemo', '2024-09-17', 150_000, 150_000],
    ['mistral-embed', '2023-12-11', 100_000, 0],
  ],
}

/** What DeepSeek charges in its peak hours. All others cost half, and which they are, a row cannot say. */
export const deepseekPrices: PriceList = {
  source: 'DeepSeek, models and pricing page (peak hours)',
  asOf: '2026-11-15',
  rows: [
    ['deepseek-flash', '2026-09-10', 300_000, 1_200_000, 6000],
    ['deepseek-v4-flash', '2026-09-10', 300_000, 1_200_000, 6000],
    ['deepseek-v4-flash-vision-exp', '2026-09-10', 300_000, 1_200_000, 6000],
    ['deepseek-v4-pro', '2026-08-16', 1_320_000, 3_960_000, 44_000],
  ],
}

/** What xAI charges. */
export const xaiPrices: PriceList = {
  source: 'xAI, models and pricing page',
  asOf: '2026-09-22',
  rows: [
    ['grok-4.7', '2026-09-22', 2_000_000, 6_000_000, 500_000, undefined, grokLong],
    ['grok-4.6', '2026-08-07', 2_000_000, 6_000_000, 500_000, undefined, grokLong],
    ['grok-4.5', '2026-07-08', 2_000_000, 6_000_000, 500_000, undefined, grokLong],
    ['grok-4.3', '2026-04-17', 1_250_000, 2_500_000, 200_000, undefined, grokLong],
    ['grok-4.20-0309-reasoning', '2026-07-02', 1_250_000, 2_500_000, 200_000, undefined, grokLong],
    [
      'grok-4.20-0309-non-reasoning',
      '2026-07-02',
      1_250_000,
      2_500_000,
      200_000,
      undefined,
      grokLong,
    ],
    ['grok-build-0.1', '2026-04-16', 1_000_000, 2_000_000, 200_000, undefined, grokLong],
    ['grok-4-1-fast*', '2025-11-19', 200_000, 500_000, 50_000, undefined, olderGrokLong],
    ['grok-4-fast*', '2025-09-19', 200_000, 500_000, 50_000, undefined, olderGrokLong],
    ['grok-4-0709', '2025-07-09', 3_000_000, 15_000_000, 750_000, undefined, olderGrokLong],
    ['grok-4', '2025-07-09', 3_000_000, 15_000_000, 750_000, undefined, olderGrokLong],
    ['grok-code-fast-1', '2025-08-28', 200_000, 1_500_000, 20_000],
    ['grok-3', '2025-04-09', 3_000_000, 15_000_000, 750_000],
    ['grok-3-mini', '2025-04-09', 300_000, 500_000, 75_000],
  ],
}
