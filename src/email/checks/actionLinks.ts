/*
 * Recognizes links that act when they are visited: they unsubscribe a person, confirm an address, or cancel an order. Skipping a harmless
 * link is better than visiting one that acts.
 */

/** Word stems in many languages. A hyphen matches any separator between two words. */
const ACTION_STEMS = `
unsub subscri opt-out opt-in remov confirm delet cancel activat verif validat log-out sign-out rsvp
abmeld abbestell austrag kündig bestätig lösch widerruf freischalt
désinscri désabonn résilier résiliation annuler annulation supprim valider activer
desuscri dessuscri darse elimina activar suscri rechaz
descadastr desinscrev ativar recusar
disiscri annulla rimuov disattiv conferm attivare attivazione rifiut
uitschrij afmeld opzeg bevestig verwijder annuleer activeer
wypisz wypis rezygn potwierd usuń anuluj odsubskryb aktywuj aktywacj odwołaj
отпис отказ подтверд удал отмен активир подпис прекрат
відпис відпиш відмов підтверд видал скасу
avregistr avsluta avprenumer prenumer avanmäl säg-upp bekräft ta-bort avbok avbryt aktiver
avmeld frameld opsig bekræft bekreft
peruuta peruut vahvist poista lopeta
odhlás potvrd zruš odber
leiratkoz feliratkoz megerősít töröl törlés
dezabon anulează renunț
abonelik iptal onayla ayrıl doğrula
διαγραφ απεγγραφ ακυρ επιβεβαι
إلغاء تأكيد حذف تفعيل
הסרה להסיר ביטול אישור
退订 退訂 取消 确认 確認 删除 刪除 验证 驗證 激活 停止 注销
解除 退会 キャンセル 認証 削除
수신거부 취소 해지 확인 인증 삭제
ยกเลิก ยืนยัน
hủy-đăng hủy-bỏ xác-nhận berhenti batalkan konfirmasi hapus रद्द
`;
/** Matched as whole words only: as parts of other words, they mean something else. */
const ACTION_WORDS =
  'leave stop quit accept decline approve reject revoke disable mute anular baja sair stopp slett slette';

const splitWords = (words: string) => foldText(words).trim().split(/\s+/u);
const optionalSeparator = '[-_+.\\s]*';
const stemPatterns = splitWords(ACTION_STEMS).map((stem) =>
  stem.includes('-') ? `(?<!\\p{L})${stem.replaceAll('-', optionalSeparator)}` : stem,
);
const actionPattern = new RegExp(
  `${stemPatterns.join('|')}|(?<!\\p{L})(?:${splitWords(ACTION_WORDS).join('|')})(?!\\p{L})`,
  'u',
);

/**
 * Returns whether visiting a link may trigger an action; such a URL must never be fetched. `texts`: visible text and accessible names of
 * the link.
 */
export function looksLikeActionLink(url: string, ...texts: readonly string[]): boolean {
  // In a URL, a capital letter may start a word.
  const candidates = [...decodeRepeatedly(url), ...texts].flatMap((text) => [
    text,
    text.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' '),
  ]);
  return candidates.some((text) => actionPattern.test(foldText(text)));
}

/** Returns whether a URL may be unique to one person or visit: it has a query, or its path contains more than words. */
export function mayContainToken(url: string): boolean {
  const { search, pathname } = new URL(url);
  return (
    search !== '' ||
    !decodeEscapes(pathname)
      .split(/[/\-_.~ ]/u)
      .every((part) => part === '' || isWord(part))
  );
}

/** Accepts ordinary words, years, dimensions and small numbers. */
function isWord(part: string) {
  if (/[bcdfghjklmnpqrstvwxz]{6}/iu.test(part)) return false;
  return /^(?:\p{Lu}?\p{Ll}{1,19}|\p{Lu}{1,6}|\p{Lo}{1,19}|\d\d?|(?:19|20)\d\d|\d{1,4}x\d{1,4})$/u.test(part);
}

/** Returns a text in lowercase, without accents and invisible characters. */
function foldText(text: string) {
  return text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '');
}

/** Returns a URL as written and with its escapes decoded, up to four levels deep. */
function decodeRepeatedly(url: string) {
  const decoded = [url];
  for (let next = decodeEscapes(url); next !== decoded.at(-1) && decoded.length < 5; next = decodeEscapes(next))
    decoded.push(next);
  return decoded;
}

/** Decodes each run of escapes separately, so that an invalid one doesn't hide the others. */
function decodeEscapes(text: string) {
  return text.replace(/(?:%[\da-f]{2})+/giu, (escapes) => {
    const bytes = Uint8Array.from(escapes.slice(1).split('%'), (digits) => Number.parseInt(digits, 16));
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      return new TextDecoder('windows-1252').decode(bytes);
    }
  });
}
