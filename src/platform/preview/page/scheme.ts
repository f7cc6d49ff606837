/** Light or dark, as the email is told: a frame can't be given a preference of its own, so the conditions that ask for it are answered. */
export type Scheme = 'light' | 'dark';

const feature = /\(\s*prefers-color-scheme\s*(?::\s*([a-z-]+)\s*)?\)/gi;

/** A media condition with every question for the preferred scheme answered: by one that is always true or never. */
export function answerScheme(media: string, scheme: Scheme): string {
  return media.replace(feature, (_all, asked?: string) =>
    asked === undefined || asked.toLowerCase() === scheme ? '(min-width: 0px)' : '(max-width: 0px)',
  );
}

/** Answers the conditions in the attributes of a document that isn't shown yet (`<source>` in `<picture>`, `<style>`, `<link>`). */
export function answerAttributes(document: Document, scheme: Scheme): void {
  for (const element of document.querySelectorAll('[media*="prefers-color-scheme" i]')) {
    element.setAttribute('media', answerScheme(element.getAttribute('media') ?? '', scheme));
  }
}

function isGroup(rule: CSSRule): rule is CSSGroupingRule {
  return 'cssRules' in rule;
}

/** Answers the conditions in a document's stylesheets, and remembers how they were asked. */
export class SchemeAnswers {
  #done = new WeakMap<CSSStyleSheet, Scheme>();
  readonly #asked = new WeakMap<CSSMediaRule, string>();
  readonly #sheets = new WeakMap<Document, CSSStyleSheet>();

  apply(document: Document, scheme: Scheme): void {
    for (const sheet of document.styleSheets) {
      if (this.#done.get(sheet) === scheme) continue;
      if (this.#answer(sheet, scheme)) this.#done.set(sheet, scheme);
    }
    this.#declare(document, scheme);
  }

  /** False while the stylesheet isn't there yet, or comes from another origin and may not be read. */
  #answer(sheet: CSSStyleSheet, scheme: Scheme): boolean {
    try {
      this.#walk(sheet.cssRules, scheme);
      return true;
    } catch {
      return false;
    }
  }

  #walk(rules: CSSRuleList, scheme: Scheme): void {
    for (const rule of rules) {
      if ('media' in rule && 'conditionText' in rule) {
        const media = rule as CSSMediaRule;
        const asked = this.#asked.get(media) ?? media.media.mediaText;
        if (/prefers-color-scheme/i.test(asked)) {
          this.#asked.set(media, asked);
          media.media.mediaText = answerScheme(asked, scheme);
        }
      }
      if (isGroup(rule)) this.#walk(rule.cssRules, scheme);
    }
  }

  /** An email that says it knows dark gets the browser's own dark canvas, text and controls, as it does in a mail client. */
  #declare(document: Document, scheme: Scheme): void {
    let sheet = this.#sheets.get(document);
    if (!sheet) {
      const view = document.defaultView as (Window & { CSSStyleSheet: typeof CSSStyleSheet }) | null;
      if (!view) return;
      sheet = new view.CSSStyleSheet();
      this.#sheets.set(document, sheet);
      document.adoptedStyleSheets = [sheet];
    }
    const meta = document.querySelector('meta[name="color-scheme" i], meta[name="supported-color-schemes" i]');
    const knows =
      /dark/i.test(meta?.getAttribute('content') ?? '') ||
      [...document.querySelectorAll('style')].some((style) =>
        /color-scheme\s*:[^;}]{0,60}dark/i.test(style.textContent ?? ''),
      );
    const rule = `:root { color-scheme: ${knows ? scheme : 'light'}; }`;
    if (sheet.cssRules[0]?.cssText !== rule) sheet.replaceSync(rule);
  }
}
