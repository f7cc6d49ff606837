import { resolveSchemeQueries, type Scheme } from '../../../email/lenses/dark.ts';

export type { Scheme } from '../../../email/lenses/dark.ts';

/** Rewrites the media attributes of a document that isn't shown yet (`<source>` in `<picture>`, `<style>`, `<link>`). */
export function resolveSchemeAttributes(document: Document, scheme: Scheme): void {
  for (const element of document.querySelectorAll('[media*="prefers-color-scheme" i]')) {
    element.setAttribute('media', resolveSchemeQueries(element.getAttribute('media') ?? '', scheme));
  }
}

function hasRules(rule: CSSRule): rule is CSSGroupingRule {
  return 'cssRules' in rule;
}

/** Rewrites the media queries in a document's stylesheets, and remembers the originals. */
export class SchemeResolver {
  #applied = new WeakMap<CSSStyleSheet, Scheme>();
  readonly #originalMedia = new WeakMap<CSSMediaRule, string>();
  readonly #sheets = new WeakMap<Document, CSSStyleSheet>();

  apply(document: Document, scheme: Scheme): void {
    for (const sheet of document.styleSheets) {
      if (this.#applied.get(sheet) === scheme) continue;
      if (this.#resolveSheet(sheet, scheme)) this.#applied.set(sheet, scheme);
    }
    this.#setColorScheme(document, scheme);
  }

  /** Returns false if the stylesheet isn't loaded, or can't be read because of its origin. */
  #resolveSheet(sheet: CSSStyleSheet, scheme: Scheme) {
    try {
      this.#resolveRules(sheet.cssRules, scheme);
      return true;
    } catch {
      return false;
    }
  }

  #resolveRules(rules: CSSRuleList, scheme: Scheme) {
    for (const rule of rules) {
      if ('media' in rule && 'conditionText' in rule) {
        const media = rule as CSSMediaRule;
        const requested = this.#originalMedia.get(media) ?? media.media.mediaText;
        if (/prefers-color-scheme/i.test(requested)) {
          this.#originalMedia.set(media, requested);
          media.media.mediaText = resolveSchemeQueries(requested, scheme);
        }
      }
      if (hasRules(rule)) this.#resolveRules(rule.cssRules, scheme);
    }
  }

  /**
   * An email that declares support for dark mode gets the browser's dark canvas, text and controls, as in a mail client. The system's forced colors
   * apply to this page only.
   */
  #setColorScheme(document: Document, scheme: Scheme) {
    let sheet = this.#sheets.get(document);
    if (!sheet) {
      const view = document.defaultView as (Window & { CSSStyleSheet: typeof CSSStyleSheet }) | null;
      if (!view) return;
      sheet = new view.CSSStyleSheet();
      this.#sheets.set(document, sheet);
      document.adoptedStyleSheets = [sheet];
    }
    const meta = document.querySelector('meta[name="color-scheme" i], meta[name="supported-color-schemes" i]');
    const supportsDark =
      /dark/i.test(meta?.getAttribute('content') ?? '') ||
      [...document.querySelectorAll('style')].some((style) =>
        /color-scheme\s*:[^;}]{0,60}dark/i.test(style.textContent ?? ''),
      );
    const rule = `:root { color-scheme: ${supportsDark ? scheme : 'light'}; forced-color-adjust: none; }`;
    if (sheet.cssRules[0]?.cssText !== rule) sheet.replaceSync(rule);
  }
}
