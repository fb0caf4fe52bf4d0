type Make = (script: string) => string

/** Elements that run a script by themselves, or when they are looked at. */
const elements: readonly Make[] = [
  (js) => `<script>${js}</script>`,
  (js) => `<SCRIPT>${js}</SCRIPT>`,
  (js) => `<script >${js}</script >`,
  (js) => `<script\n>${js}</script>`,
  (js) => `<scr<script>ipt>${js}</scr</script>ipt>`,
  (js) => `<script src="data:,${js}"></script>`,
  (js) => `<script type=module>${js}</script>`,
  (js) => `<svg><script>${js}</script>`,
  (js) => `<svg><script href="data:,${js}"/>`,
  (js) => `<svg onload=${js}>`,
  (js) => `<svg/onload=${js}>`,
  (js) => `<svg\tonload\n=${js}>`,
  (js) => `<svg><animate onbegin=${js}>`,
  (js) => `<svg><a xlink:href="javascript:${js}"><text>x`,
  (js) => `<svg><set onbegin=${js}>`,
  (js) => `<svg><foreignObject><img src=x onerror=${js}>`,
  (js) => `<img src=x onerror=${js}>`,
  (js) => `<img/src=x/onerror=${js}>`,
  (js) => `<IMG SRC=x ONERROR=${js}>`,
  (js) => `<img src=x onerror="${js}">`,
  (js) => `<img src=x onerror='${js}'>`,
  (js) => `<img src=data:, onload=${js} onerror=${js}>`,
  (js) => `<image src=x onerror=${js}>`,
  (js) => `<input autofocus onfocus=${js}>`,
  (js) => `<select autofocus onfocus=${js}>`,
  (js) => `<textarea autofocus onfocus=${js}>`,
  (js) => `<button autofocus onfocus=${js}>x`,
  (js) => `<a href="javascript:${js}">x</a>`,
  (js) => `<a href=java\tscript:${js}>x</a>`,
  (js) => `<a tabindex=1 autofocus onfocus=${js}>x`,
  (js) => `<iframe src="javascript:${js}">`,
  (js) => `<iframe srcdoc="<script>${js}</script>">`,
  (js) => `<iframe onload=${js}>`,
  (js) => `<object data="javascript:${js}">`,
  (js) => `<embed src="javascript:${js}">`,
  (js) => `<body onload=${js}>`,
  (js) => `<video><source onerror=${js}>`,
  (js) => `<video src=x onerror=${js}>`,
  (js) => `<audio src=x onerror=${js}>`,
  (js) => `<details open ontoggle=${js}>`,
  (js) => `<marquee onstart=${js}>`,
  (js) => `<style onload=${js}></style>`,
  (js) => `<style>@keyframes x{}</style><b style="animation-name:x" onanimationstart=${js}>`,
  (js) => `<link rel=stylesheet href="data:text/css," onload=${js}>`,
  (js) => `<meta http-equiv=refresh content="0;url=javascript:${js}">`,
  (js) => `<base href="javascript:/"><a href="#${js}">x`,
  (js) => `<form action="javascript:${js}"><button>x`,
  (js) => `<button formaction="javascript:${js}">x`,
  (js) => `<math href="javascript:${js}">x</math>`,
  (js) => `<template><img src=x onerror=${js}></template>`,
]

/** What leaves the place that a careless page would put a text in. */
const waysOut: readonly Make[] = [
  (text) => text,
  (text) => `">${text}`,
  (text) => `'>${text}`,
  (text) => `</title>${text}`,
  (text) => `</script>${text}`,
]

/** What does harm in places where elements do none: addresses, scripts, markdown, templates. */
const others: readonly Make[] = [
  (js) => `javascript:${js}`,
  (js) => `JaVaScRiPt:${js}`,
  (js) => `\u0001javascript:${js}`,
  (js) => ` javascript:${js}`,
  (js) => `java\nscript:${js}`,
  (js) => `javascript://%0a${js}`,
  (js) => `data:text/html,<script>${js}</script>`,
  (js) => `vbscript:${js}`,
  (js) => `" onmouseover="${js}`,
  (js) => `' onmouseover='${js}`,
  (js) => `" autofocus onfocus="${js}`,
  (js) => `' autofocus onfocus='${js}`,
  (js) => `x onfocus=${js} autofocus tabindex=0`,
  (js) => `";${js}//`,
  (js) => `';${js}//`,
  (js) => `\\";${js}//`,
  (js) => `\`;${js}//`,
  (js) => `\${${js}}`,
  (js) => `{{${js}}}`,
  (js) => `{{constructor.constructor('${js}')()}}`,
  (js) => `<%= ${js} %>`,
  (js) => `#{${js}}`,
  (js) => `[x](javascript:${js})`,
  (js) => `![x](x"onerror="${js})`,
  (js) => `<javascript:${js}>`,
  (js) => `[x]: javascript:${js}`,
  (js) => `**<img src=x onerror=${js}>**`,
  (js) => `\`\`\`<img src=x onerror=${js}>`,
  (js) => `--><img src=x onerror=${js}>`,
  (js) => `]]><img src=x onerror=${js}>`,
  (js) => `*/${js}/*`,
  (js) => `&lt;img src=x onerror=${js}&gt;`,
  (js) => `&#60;img src=x onerror=${js}&#62;`,
  (js) => `%3Cimg src=x onerror=${js}%3E`,
  (js) => `\\u003cimg src=x onerror=${js}\\u003e`,
  (js) => `＜img src=x onerror=${js}＞`,
  (js) => `<<img src=x onerror=${js}>`,
  (js) => `<img src=x onerror=${js}`,
  (js) => `<\u0000img src=x onerror=${js}>`,
  (js) => `\u202E<img src=x onerror=${js}>`,
  (js) => `{"__proto__":{"x":"${js}"}}`,
  (js) => `{"dangerouslySetInnerHTML":{"__html":"<img src=x onerror=${js}>"}}`,
  (js) => `constructor[${js}]`,
  (js) => `__proto__.${js}`,
  (js) => `=HYPERLINK("javascript:${js}")`,
  (js) => `../../${js}`,
  (js) => `//${js}`,
  (js) => `?next=javascript:${js}`,
  (js) => `#"><img src=x onerror=${js}>`,
  (js) => `\r\nset-cookie: x=${js}`,
]

const elementsEverywhere = waysOut.flatMap((out) =>
  elements.map(
    (make): Make =>
      (js) =>
        out(make(js)),
  ),
)

/**
 * Texts that would run a script if a page took them for more than text. Each calls `dataRan` with its number, so
 * that a test can tell which one did.
 */
export const hostileTexts: readonly string[] = [...elementsEverywhere, ...others].map((make, at) =>
  make(`top.dataRan(${at})`),
)
