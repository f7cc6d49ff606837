/*
 * Which links may do something when they are visited: unsubscribe a person, confirm an address, cancel an order. It is better to leave a
 * harmless link out than to visit one that acts.
 */

/** Parts of words, in many languages. A hyphen stands for anything between two words. */
const STEMS = `
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
/** Whole words: as parts of others, they mean something else. */
const WORDS = 'leave stop quit accept decline approve reject revoke disable mute anular baja sair stopp slett slette';

const split = (words: string): readonly string[] => fold(words).trim().split(/\s+/u);
const between = '[-_+.\\s]*';
const stems = split(STEMS).map((stem) => (stem.includes('-') ? `(?<!\\p{L})${stem.replaceAll('-', between)}` : stem));
const acting = new RegExp(`${stems.join('|')}|(?<!\\p{L})(?:${split(WORDS).join('|')})(?!\\p{L})`, 'u');

/** Whether a visit may do something: such an address is never fetched. `texts`: what a reader sees or hears of the link. */
export function looksLikeActionLink(url: string, ...texts: readonly string[]): boolean {
  // In an address, a capital letter may begin a word.
  const written = [...decodings(url), ...texts].flatMap((text) => [text, text.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')]);
  return written.some((text) => acting.test(fold(text)));
}

/** Whether an address may be made for one person or one visit: it has a query, or its path is more than words. */
export function mayContainToken(url: string): boolean {
  const { search, pathname } = new URL(url);
  return (
    search !== '' ||
    !decode(pathname)
      .split(/[/\-_.~ ]/u)
      .every((part) => part === '' || isWord(part))
  );
}

/** Words as people write them, years, sizes and small numbers. */
function isWord(part: string): boolean {
  if (/[bcdfghjklmnpqrstvwxz]{6}/iu.test(part)) return false;
  return /^(?:\p{Lu}?\p{Ll}{1,19}|\p{Lu}{1,6}|\p{Lo}{1,19}|\d\d?|(?:19|20)\d\d|\d{1,4}x\d{1,4})$/u.test(part);
}

/** Returns a text in small letters, without accents and invisible characters. */
function fold(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '');
}

/** Returns an address as it is written, and with its escapes decoded, which may be escaped themselves. */
function decodings(url: string): readonly string[] {
  const found = [url];
  for (let next = decode(url); next !== found.at(-1) && found.length < 5; next = decode(next)) found.push(next);
  return found;
}

/** Decodes each run of escapes by itself: one that is wrong doesn't hide the others. */
function decode(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/giu, (escapes) => {
    const bytes = Uint8Array.from(escapes.slice(1).split('%'), (digits) => Number.parseInt(digits, 16));
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      return new TextDecoder('windows-1252').decode(bytes);
    }
  });
}
