import fc from 'fast-check'

/**
 * What chance decides in the tests follows from this number, and a failing test says what it was. Set `PARLEY_SEED` to
 * run the same again; the gate does, so that it judges the change and not the dice.
 */
const said = process.env['PARLEY_SEED']

export const seed = said === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(said)

if (said !== undefined) fc.configureGlobal({ seed })
