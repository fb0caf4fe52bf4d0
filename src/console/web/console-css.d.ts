/** Styles are no module: to import them is to have them in the page. */
declare module '*.css'
