const acting =
  /unsub|opt-?out|opt-?in|remove|confirm|delete|logout|abmeld|abbestell|d[eé]sinscri|d[eé]sabonn|cancella|disiscri|baja|darse|uitschrijf|afmeld|wypisz/iu;

/** Whether a visit may do something: such an address is never fetched. */
export const looksActing = (url: string, text = ''): boolean => acting.test(decoded(url)) || acting.test(text);

function decoded(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}
