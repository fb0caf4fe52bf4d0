import type { PriceList } from './price-list.ts'

/** What Groq charges on demand. */
export const groqPrices: PriceList = {
  source: 'Groq, pricing page',
  asOf: '2026-07-02',
  rows: [
    ['openai/gpt-oss-120b', '2025-10-21', 150_000, 600_000, 75_000],
    ['openai/gpt-oss-20b', '2025-10-21', 75_000, 300_000, 37_500],
    ['openai/gpt-oss-safeguard-20b', '2025-10-29', 75_000, 300_000, 37_500],
    ['llama-3.3-70b-versatile', '2024-12-06', 590_000, 790_000],
    ['llama-3.1-8b-instant', '2024-07-23', 50_000, 80_000],
    ['meta-llama/llama-4-scout-17b-16e-instruct', '2025-04-05', 110_000, 340_000],
    ['meta-llama/llama-4-maverick-17b-128e-instruct', '2025-04-05', 200_000, 600_000],
    ['qwen/qwen3-32b', '2025-06-12', 290_000, 590_000],
    ['moonshotai/kimi-k2-instruct-0905', '2025-09-05', 1_000_000, 3_000_000, 500_000],
  ],
}

/** What Together charges without a reservation. */
export const togetherPrices: PriceList = {
  source: 'Together AI, serverless models page',
  asOf: '2026-07-02',
  rows: [
    ['openai/gpt-oss-120b', '2025-08-05', 150_000, 600_000],
    ['openai/gpt-oss-20b', '2025-08-05', 50_000, 200_000],
    ['meta-llama/Llama-3.3-70B-Instruct-Turbo', '2024-12-06', 880_000, 880_000],
    ['deepseek-ai/DeepSeek-V4-Pro', '2026-04-24', 1_740_000, 3_480_000, 200_000],
    ['moonshotai/Kimi-K2.6', '2026-04-21', 1_200_000, 4_500_000, 200_000],
    ['moonshotai/Kimi-K2.7-Code', '2026-06-14', 950_000, 4_000_000, 190_000],
    ['zai-org/GLM-5.1', '2026-04-07', 1_400_000, 4_400_000],
    ['zai-org/GLM-5.2', '2026-06-16', 1_400_000, 4_400_000, 260_000],
    ['MiniMaxAI/MiniMax-M2.7', '2026-03-18', 300_000, 1_200_000, 60_000],
    ['MiniMaxAI/MiniMax-M3', '2026-06-12', 300_000, 1_200_000, 60_000],
    ['Qwen/Qwen3-235B-A22B-Instruct-2507-tput', '2025-07-25', 200_000, 600_000],
    ['Qwen/Qwen3.6-Plus', '2026-04-30', 500_000, 3_000_000],
    ['google/gemma-4-31B-it', '2026-04-07', 390_000, 970_000],
  ],
}

/** What Fireworks charges without a reservation. */
export const fireworksPrices: PriceList = {
  source: 'Fireworks AI, serverless pricing page',
  asOf: '2026-07-02',
  prefix: 'accounts/fireworks/models/',
  rows: [
    ['deepseek-v4-pro', '2026-04-24', 1_740_000, 3_480_000, 145_000],
    ['deepseek-v4-flash', '2026-06-16', 140_000, 280_000, 28_000],
    ['gpt-oss-120b', '2025-08-05', 150_000, 600_000],
    ['gpt-oss-20b', '2025-08-05', 70_000, 300_000],
    ['glm-5p1', '2026-04-07', 1_400_000, 4_400_000, 260_000],
    ['glm-5p2', '2026-06-16', 1_400_000, 4_400_000, 260_000],
    ['kimi-k2p6', '2026-04-21', 950_000, 4_000_000, 160_000],
    ['kimi-k2p7-code', '2026-06-16', 950_000, 4_000_000, 190_000],
    ['minimax-m2p7', '2026-04-12', 300_000, 1_200_000, 60_000],
    ['minimax-m3', '2026-06-12', 300_000, 1_200_000, 60_000],
    ['qwen3p7-plus', '2026-06-12', 400_000, 1_600_000, 80_000],
  ],
}

/** What Cerebras charges developers. */
export const cerebrasPrices: PriceList = {
  source: 'Cerebras, inference pricing page',
  asOf: '2026-07-02',
  rows: [
    ['gpt-oss-120b', '2025-08-05', 350_000, 750_000],
    ['zai-glm-4.7', '2026-01-07', 2_250_000, 2_750_000],
    ['qwen-3-235b-a22b-instruct-2507', '2025-07-29', 600_000, 1_200_000],
  ],
}
