/*
 * Recognizes links that act when they are visited: they unsubscribe a person, confirm an address, or cancel an order. Skipping a harmless
 * link is better than visiting one that acts.
 */

/** Word stems in many languages. A hyphen matches any separator between two words. */
const ACTION_STEMS = `
unsub subscri opt-out opt-in remov confirm delet cancel activat verif validat log-out sign-out rsvp
unfollow unregist deregist withdraw preferenc manage-e-mail manage-your-e-mail e-mail-settings notification-settings
take-me-off take-us-off get-me-off no-longer-want no-longer-wish no-longer-interested
abmeld abbestell austrag kündig bestätig lösch widerruf freischalt
abzumeld abgemeld abzubestell auszutrag ausgetrag einstellungen präferenz abstimm umfrage zusag absag ablehn genehmig
désinscri désabonn résilier résiliation annuler annulation supprim valider activer
plus-recevoir effacer effacez refuser refusez accepter acceptez sondage approuv
desuscri dessuscri darse elimina activar suscri rechaz
dejar-de-recibir encuesta declin acepta aproba
descadastr desinscrev ativar recusar
desinscri deixar-de-receber parar-de-receber enquete aceit aprova exclui
disiscri annulla rimuov disattiv conferm attivare attivazione rifiut
smetti-di-ricevere smettere-di-ricevere preferenz sondaggi accett approva disdi
uitschrij afmeld opzeg bevestig verwijder annuleer activeer
uit-te-schrij af-te-meld op-te-zeg voorkeur peiling beoordeel beoordelen accepteer accepteren goedkeur weiger
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
/** Matched as whole words only: as parts of other words, they mean something else. An asterisk matches up to five words of a sentence. */
const ACTION_WORDS = `
leave stop quit accept decline approve reject revoke disable mute anular baja sair stopp slett slette
no*receive no*receiving no*e-mails not*receive not*e-mails not-e-mail not-contact-me don*receive don*e-mails don-t-e-mail
vote voting poll survey nps rate-us rate-our rate-this rate-your rate-it you-rate
attending will-attend t-attend count-me-in no-thanks dismiss erase snooze
kein*erhalten keine*erhalten keinen*erhalten nicht*erhalten nichts*erhalten
keine*e-mails keine*mails kein*newsletter keine*newsletter keinen*newsletter
meld*ab melde*ab melden*ab trag*aus trage*aus tragen*aus bestelle*ab bestellen*ab stimme*ab stimmen*ab
annehmen bewerten bewerte teilnehmen ich-komme nein-danke
ne*e-mails ne*mails quitter voter votez notez évaluer évaluez participer participe je-viens non-merci
no*recibir no*correos vota votar valorar valora calificar califica borrar asistir no-gracias
não*receber não*e-mails apagar avaliar avalie participar não-obrigado não-obrigada
non*ricevere non*e-mail votare valutare partecipare partecipa esci no-grazie
schrijf*uit meld*af zeg*op geen*ontvangen niet*ontvangen geen*e-mails geen*mails geen*nieuwsbrief geen*nieuwsbrieven
stemmen stem-ja stem-nee stem-nu aanwezig afwezig nee-bedankt
`;
/** Answers to a question, if they are the whole text of a link. */
const ANSWERS = 'yes no maybe ja nein vielleicht oui non peut-être sí quizás sim não talvez forse nee misschien';
/** A link of these without words rates something. */
const RATING_SYMBOLS = '★☆⭐👍👎';

const optionalSeparator = "[-_+.,'’\\s]*";
const wordGap = '(?:[^\\p{L}.!?]+\\p{L}+){0,5}?[^\\p{L}.!?]+';
const createPattern = (terms: string) =>
  foldText(terms)
    .replaceAll('*', wordGap)
    .trim()
    .split(/\s+/u)
    .map((term) => (term.includes('-') ? '(?<!\\p{L})' : '') + term.replaceAll('-', optionalSeparator))
    .join('|');
const actionPattern = new RegExp(
  [
    createPattern(ACTION_STEMS),
    `(?<!\\p{L})(?:${createPattern(ACTION_WORDS)})(?!\\p{L})`,
    `^\\P{L}*(?:${createPattern(ANSWERS)})\\P{L}*$`,
    `^[^\\p{L}${RATING_SYMBOLS}]*[${RATING_SYMBOLS}]\\P{L}*$`,
  ].join('|'),
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
