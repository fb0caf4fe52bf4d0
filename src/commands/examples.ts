/** What to type, for each command by its full name; `parley` itself has the words on the environment too. */
export const examples: Readonly<Record<string, readonly string[]>> = {
  parley: ['parley', 'parley keys create --name ci', 'parley help keys'],
  'parley serve': [
    'parley serve --port 9000',
    'parley serve --host 0.0.0.0 --config /etc/parley.yaml',
    'PORT=0 parley serve --json',
  ],
  'parley keys': ['parley keys create --name ci', 'parley keys list'],
  'parley keys create': [
    'parley keys create --name ci',
    'parley keys create --name demo --expires 30d --json',
    "parley keys create --name bot --project search --models 'gpt-*,fast' --rpm 60 --tpm 200k --budget 50/month",
  ],
  'parley keys list': ['parley keys list', 'parley keys list --project search --json'],
  'parley keys show': ['parley keys show <id>', 'parley keys show <id> --json'],
  'parley keys update': [
    'parley keys update <id> --rpm 120 --models none',
    'parley keys update <id> --budget 80/month --budget none/day --yes --json',
  ],
  'parley keys revoke': ['parley keys revoke <id>', 'parley keys revoke <id> --yes --json'],
  'parley keys rotate': ['parley keys rotate <id>', 'parley keys rotate <id> --overlap 2h --json'],
  'parley projects': ['parley projects create --name search', 'parley projects list'],
  'parley projects create': [
    'parley projects create --name search',
    "parley projects create --name search --models 'gpt-*' --tpm 2M --budget 500/month --json",
  ],
  'parley projects list': ['parley projects list', 'parley projects list --json'],
  'parley projects show': ['parley projects show search', 'parley projects show search --json'],
  'parley projects update': [
    'parley projects update search --concurrency 32 --tag cost-centre=17',
    'parley projects update search --budget none/month --yes --json',
  ],
  'parley projects archive': [
    'parley projects archive search',
    'parley projects archive search --yes --json',
  ],
  'parley organisation': [
    'parley organisation show',
    'parley organisation update --budget 5000/month',
  ],
  'parley organisation show': ['parley organisation show', 'parley organisation show --json'],
  'parley organisation update': [
    'parley organisation update --name Example --budget 5000/month',
    'parley organisation update --addresses 10.0.0.0/8,fd00::/8 --json',
  ],
  'parley usage': [
    'parley usage --since 7d',
    'parley usage --by day,model --format csv',
    'parley usage --by project,tag:team --since 2026-01-01 --until 2026-02-01',
  ],
  'parley usage list': [
    'parley usage list --limit 50',
    'parley usage list --result upstream-lost --since 24h --json',
  ],
  'parley usage show': ['parley usage show <id>', 'parley usage show <id> --json'],
  'parley usage export': [
    'parley usage export --since 2026-01-01 > usage.csv',
    'parley usage export --since 30d --format json',
  ],
  'parley usage correct': ["parley usage correct <id> --cost 0 --reason 'the upstream failed'"],
  'parley usage prune': [
    'parley usage prune --before 400d',
    'parley usage prune --before 2026-01-01 --yes',
  ],
  'parley usage erase': [
    'parley usage erase --exchange <id>',
    'parley usage erase --key <id> --yes --json',
  ],
  'parley usage verify': ['parley usage verify', 'parley usage verify --repair'],
  'parley prices': ['parley prices gpt-4o', "parley prices 'anthropic/*' --json"],
  'parley admin': ['parley admin setup-token', 'parley admin setup-token --json'],
  'parley admin setup-token': ['parley admin setup-token', 'parley admin setup-token --json'],
  'parley audit': ['parley audit verify', 'parley audit verify --json'],
  'parley audit verify': ['parley audit verify', 'parley audit verify --head <hash> --json'],
  'parley models': ['parley models', 'parley models --config staging.yaml --json'],
  'parley models list': ['parley models list', 'parley models list --json'],
  'parley models load': ['parley models load parley-mini'],
  'parley models unload': ['parley models unload parley-mini'],
  'parley models remove': [
    'parley models remove <name>',
    'parley models remove <name> --yes --json',
  ],
  'parley pull': [
    'parley pull <owner>/<repo>:Q4_K_M',
    'parley pull https://example.com/model.gguf --sha256 <sum>',
    'parley pull ./model.gguf --json',
  ],
  'parley doctor': ['parley doctor', 'parley doctor --config /etc/parley.yaml --json'],
  'parley backup': [
    'parley backup /var/backups/parley/monday',
    'parley backup ./copy --content --json',
    'PARLEY_HOME=./copy parley usage',
  ],
  'parley check': ['parley check', 'parley check --config staging.yaml --json'],
  'parley version': ['parley version', 'parley version --json'],
}

/** What every command reads from its environment, and what its exit code says. */
export const environmentHelp = `
Environment:
  PORT, PARLEY_ADMIN_PORT  the ports, where no option says otherwise
  PARLEY_CONFIG            the config file, where no option says otherwise
  PARLEY_HOME              the folder of all state (else ~/.parley)
  NO_COLOR                 no colours

Exit codes:
  0 done    64 not understood    65 wrong data or config    66 not there
  69 address or service not available    70 a bug    73 cannot create    74 disk
  75 try again    77 not permitted`
