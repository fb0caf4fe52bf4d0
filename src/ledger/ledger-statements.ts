/** What every exchange is known by from its beginning. */
const known = 'id, key_id, project_id, endpoint, protocol, model, stream, started_at'

const ended =
  'result, target, attempts, input, cache_read, cache_write, output, reasoning, counted, first_byte_ms, total_ms, notes, queue_ms, tries, route'

/** Binds what is known, then the boot, the hold, whether it is strict, and its periods. Changes nothing if the id is open. */
export const openSql = `INSERT INTO open_exchanges (${known}, boot, held, is_strict, periods)
  VALUES (${marks(12)}) ON CONFLICT DO NOTHING`

/** Binds how it ended, the cost, the excess and the price, then what is known from its beginning, and the hold. */
export const closeSql = insertClosed(1)

/** The same for several rows, which costs less than one statement for each. */
export const rowsAtOnce = 8
export const closeManySql = insertClosed(rowsAtOnce)

/** Binds the id. */
export const forgetSql = 'DELETE FROM open_exchanges WHERE id = ?'

/** Binds the id. What is known of it, what its hold is, and on what that lies. */
export const holdSql = `SELECT ${known}, held, is_strict, periods FROM open_exchanges WHERE id = ?`

/** The boots that have exchanges under way. */
export const bootsSql = 'SELECT DISTINCT boot FROM open_exchanges'

/** Binds the boot. */
export const openOfBootSql = 'SELECT id FROM open_exchanges WHERE boot = ? ORDER BY started_at'

export const addPriceSql = 'INSERT INTO prices (terms) VALUES (?) ON CONFLICT DO NOTHING'
export const priceSql = 'SELECT id FROM prices WHERE terms = ?'

function insertClosed(rows: number): string {
  const values = Array.from({ length: rows }, () => `(${marks(27)})`)
  return `INSERT INTO ledger (${ended}, cost, excess, price, ${known}, held) VALUES ${values.join(', ')}`
}

function marks(count: number): string {
  return Array.from({ length: count }, () => '?').join(', ')
}
