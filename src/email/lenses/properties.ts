/** Creates a pattern from names that are separated by whitespace. */
const createNamePattern = (names: string): RegExp => new RegExp(`^(?:${names.trim().split(/\s+/).join('|')})$`);

/** Properties that Gmail drops (caniemail.com, 2026-06-29). */
export const droppedByGmail = createNamePattern(`
  accent-color align-items animation.* aspect-ratio backdrop-filter block-size border-image.* border-(?:block|inline).*
  border-(?:start|end)-(?:start|end)-radius box-shadow clip-path color-scheme cursor filter flex-(?:direction|wrap|flow) grid.* hyphen.*
  inline-size inset.* justify-content left right top bottom list-style-image (?:margin|padding)-(?:block|inline).* mask.*
  (?:max|min)-(?:block|inline)-size orphans outline-offset overflow-wrap position resize scroll-.* shape-.* tab-size
  text-decoration-(?:skip-ink|thickness) text-emphasis-position text-shadow text-underline-offset text-wrap transform.* transition.*
  user-select visibility white-space-collapse widows z-index --.*
`);

/** Properties that Word ignores (caniemail.com, 2026-06-29). */
export const ignoredByWord = createNamePattern(`
  accent-color align-items animation.* aspect-ratio backdrop-filter background-(?:blend-mode|clip|image|origin|position|repeat|size)
  block-size border-image.* border-(?:block|inline).* border.*-radius border-spacing box-shadow box-sizing caption-side clear clip-path
  color-scheme column.* empty-cells filter flex.* float font-size-adjust
  gap grid.* hyphen.* inline-size inset.* justify-content left right top bottom
  list-style-(?:image|position) (?:margin|padding)-(?:block|inline).* mask.* (?:max|min)-(?:width|height|block-size|inline-size)
  mix-blend-mode object-.* opacity orphans outline.* overflow.* position resize scroll-.* shape-.* tab-size table-layout text-align-last
  text-(?:emphasis|orientation|overflow|shadow|underline-offset|wrap).* text-decoration-.* transform.* transition.* user-select
  visibility white-space widows word-(?:spacing|wrap|break) writing-mode z-index --.*
`);
