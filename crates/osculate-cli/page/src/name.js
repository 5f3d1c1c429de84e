/** The nodes of a text that has names; long ones may be broken where their words end, as in html.rs. */
export function breakable(text) {
  const words = text.split(/(?<=[!-/:-@[-`{-~])(?=\p{L}.)|(?<=\p{Ll})(?=\p{Lu}.)/su);
  return words.flatMap((word, i) => (i === 0 ? [word] : [document.createElement("wbr"), word]));
}
