import { hash, pick, pickWeighted, unit } from './random.ts';

/** Names as written, or `written|ascii` if removing accents does not produce an address. */
interface Culture {
  readonly language: string;
  readonly weight: number;
  readonly first: readonly [string, ...string[]];
  readonly last: readonly [string, ...string[]];
  readonly familyFirst?: boolean;
}

const cultures: readonly [Culture, ...Culture[]] = [
  {
    language: 'en-GB',
    weight: 6,
    first: ['Olivia', 'Amelia', 'George', 'Harry', 'Isla', 'Freya', 'Arthur', 'Nia', 'Rhys', 'Callum'],
    last: [
      'Bennett',
      'Hughes',
      'Macleod',
      "O'Connor",
      'Whitfield',
      'Okafor',
      'Pritchard',
      'Marlowe',
      'Sutton',
      'Fairbairn',
    ],
  },
  {
    language: 'en-US',
    weight: 5,
    first: ['Maya', 'Jordan', 'Ethan', 'Zoe', 'Malik', 'Harper', 'Caleb', 'Imani', 'Logan', 'Ruth'],
    last: [
      'Brooks',
      'Ramirez',
      'Washington',
      'Kowalski',
      'Nguyen',
      'Carter',
      'Delgado',
      'Feldman',
      'Price',
      'Sandoval',
    ],
  },
  {
    language: 'de-DE',
    weight: 5,
    first: [
      'Jürgen|juergen',
      'Anneliese',
      'Lukas',
      'Mia',
      'Jörg|joerg',
      'Käthe|kaethe',
      'Emre',
      'Sabine',
      'Till',
      'Frieda',
    ],
    last: [
      'Müller|mueller',
      'Schäfer|schaefer',
      'Weiß|weiss',
      'Yılmaz|yilmaz',
      'Krüger|krueger',
      'Lindemann',
      'Vogt',
      'Zimmermann',
      'Brandt',
      'von Halem',
    ],
  },
  {
    language: 'fr-FR',
    weight: 5,
    first: ['Éloïse', 'Amélie', 'Théo', 'Hugo', 'Inès', 'Benoît', 'Chloé', 'Gaël', 'Salomé', 'Rémy'],
    last: [
      'Lefèvre',
      'Moreau',
      'Dubois',
      'Benali',
      'Garnier',
      'Rousseau',
      'Lemaître',
      'Fontaine',
      'Diallo',
      'Chevallier',
    ],
  },
  {
    language: 'es-ES',
    weight: 4,
    first: ['José', 'Lucía', 'Martín', 'Íñigo', 'Begoña', 'Álvaro', 'Noelia', 'Joaquín', 'Pilar', 'Andrés'],
    last: [
      'García Núñez',
      'Fernández',
      'Ibáñez',
      'Muñoz',
      'Vázquez',
      'Echeverría',
      'Peña',
      'Serrano',
      'Castaño',
      'Roldán',
    ],
  },
  {
    language: 'pt-BR',
    weight: 3,
    first: ['João', 'Beatriz', 'Thiago', 'Conceição', 'Antônio', 'Luíza', 'Caio', 'Iara', 'Vinícius', 'Marília'],
    last: [
      'da Silva',
      'Gonçalves',
      'Araújo',
      'Magalhães',
      'Sant’Anna',
      'Figueiredo',
      'Barros',
      'Queirós',
      'Nogueira',
      'Assunção',
    ],
  },
  {
    language: 'it-IT',
    weight: 3,
    first: ['Niccolò', 'Giulia', 'Alessandro', 'Chiara', 'Matteo', 'Ilaria', 'Tommaso', 'Ginevra', 'Elia', 'Fabiana'],
    last: ["D'Angelo", 'Ricci', 'Lombardi', 'Zanetti', 'Caputo', 'Bellini', 'De Luca', 'Moretti', 'Farina', 'Sanna'],
  },
  {
    language: 'pl-PL',
    weight: 3,
    first: [
      'Łukasz|lukasz',
      'Agnieszka',
      'Małgorzata|malgorzata',
      'Piotr',
      'Żaneta',
      'Kamil',
      'Zofia',
      'Grzegorz',
      'Jadwiga',
      'Michał|michal',
    ],
    last: [
      'Wiśniewska',
      'Kowalczyk',
      'Dąbrowski',
      'Żukowska',
      'Pawłowski|pawlowski',
      'Jabłońska|jablonska',
      'Nowak',
      'Szczepański',
      'Zając',
      'Gołąb|golab',
    ],
  },
  {
    language: 'da-DK',
    weight: 2,
    first: [
      'Søren|soeren',
      'Åse|aase',
      'Mette',
      'Bjørn|bjoern',
      'Freja',
      'Kåre|kaare',
      'Signe',
      'Rasmus',
      'Sunniva',
      'Anders',
    ],
    last: [
      'Østergaard|oestergaard',
      'Nygård|nygaard',
      'Sørensen|soerensen',
      'Holm',
      'Kjær|kjaer',
      'Lindqvist',
      'Dahl',
      'Bækgaard|baekgaard',
      'Thorsen',
      'Vinter',
    ],
  },
  {
    language: 'uk-UA',
    weight: 2,
    first: [
      'Олена|olena',
      'Тарас|taras',
      'Софія|sofiia',
      'Богдан|bohdan',
      'Марія|mariia',
      'Юрій|yurii',
      'Дарина|daryna',
      'Назар|nazar',
      'Ганна|hanna',
      'Остап|ostap',
    ],
    last: [
      'Коваль|koval',
      'Шевчук|shevchuk',
      'Бондаренко|bondarenko',
      'Мельник|melnyk',
      'Гриценко|hrytsenko',
      'Поліщук|polishchuk',
      'Савченко|savchenko',
      'Зінченко|zinchenko',
      'Литвин|lytvyn',
      'Журба|zhurba',
    ],
  },
  {
    language: 'ja-JP',
    weight: 2,
    familyFirst: true,
    first: [
      '陽菜|hina',
      '蓮|ren',
      '結衣|yui',
      '大和|yamato',
      '葵|aoi',
      '悠真|yuma',
      '美咲|misaki',
      '健太|kenta',
      '直子|naoko',
      '翔|sho',
    ],
    last: [
      '佐藤|sato',
      '鈴木|suzuki',
      '高橋|takahashi',
      '田中|tanaka',
      '渡辺|watanabe',
      '中村|nakamura',
      '小林|kobayashi',
      '山本|yamamoto',
      '吉田|yoshida',
      '井上|inoue',
    ],
  },
  {
    language: 'ar-EG',
    weight: 2,
    first: [
      'ليلى|layla',
      'يوسف|youssef',
      'نور|nour',
      'كريم|karim',
      'سلمى|salma',
      'عمر|omar',
      'هدى|huda',
      'طارق|tarek',
      'مريم|mariam',
      'سامي|sami',
    ],
    last: [
      'حداد|haddad',
      'منصور|mansour',
      'الشريف|elsherif',
      'فاروق|farouk',
      'نصار|nassar',
      'السيد|elsayed',
      'عزيز|aziz',
      'خليل|khalil',
      'رمضان|ramadan',
      'زكي|zaki',
    ],
  },
  {
    language: 'hi-IN',
    weight: 3,
    first: ['Aarav', 'Diya', 'Rohan', 'Priya', 'Kavya', 'Arjun', 'Meera', 'Vikram', 'Ananya', 'Sanjay'],
    last: ['Sharma', 'Iyer', 'Patel', 'Banerjee', 'Reddy', 'Chaudhary', 'Nair', 'Kulkarni', 'Singh', 'Mukherjee'],
  },
  {
    language: 'zh-CN',
    weight: 2,
    familyFirst: true,
    first: [
      '欣怡|xinyi',
      '浩然|haoran',
      '子涵|zihan',
      '伟|wei',
      '静|jing',
      '明轩|mingxuan',
      '芳|fang',
      '俊杰|junjie',
      '雨桐|yutong',
      '磊|lei',
    ],
    last: ['王|wang', '李|li', '张|zhang', '刘|liu', '陈|chen', '杨|yang', '赵|zhao', '黄|huang', '周|zhou', '吴|wu'],
  },
];

const domains: readonly [string, ...string[]] = ['example.com', 'example.org', 'example.net'];
const sources: readonly [string, ...string[]] = ['front', 'front', 'front', 'import', 'back_creation', 'registration'];

export interface Person {
  readonly name: string;
  readonly email: string;
  readonly language: string;
  readonly source: string;
}

const getWrittenName = (entry: string): string => entry.split('|')[0] ?? entry;

function toAddressPart(entry: string): string {
  const [name = '', ascii = name] = entry.split('|');
  return ascii
    .normalize('NFD')
    .replace(/[^A-Za-z]/g, '')
    .toLowerCase();
}

/** The three members of the list for test sends. */
export const testers: readonly Person[] = [
  { name: 'Test inbox: phone', email: 'test.phone@example.com', language: 'en-GB', source: 'back_creation' },
  { name: 'Test inbox: desktop', email: 'test.desktop@example.org', language: 'en-GB', source: 'back_creation' },
  { name: 'Test inbox: webmail', email: 'test.webmail@example.net', language: 'en-GB', source: 'back_creation' },
];

/** Addresses up to this id contain no number if the name is unique; later ones contain the id. */
const MAX_PLAIN_ID = 240;

function composePerson(id: number, withNumber: boolean): Person {
  const tester = testers[id - 1];
  if (tester) return tester;
  const culture = pickWeighted(cultures, unit(11, id));
  const first = pick(culture.first, unit(12, id));
  const last = pick(culture.last, unit(13, id));
  const names = [getWrittenName(first), getWrittenName(last)];
  const local = `${toAddressPart(first)}.${toAddressPart(last)}${withNumber ? `.${id}` : ''}`;
  return {
    name: (culture.familyFirst ? names.reverse() : names).join(' '),
    email: `${local}@${pick(domains, unit(14, id))}`,
    language: culture.language,
    source: pick(sources, unit(15, id)),
  };
}

/** Users generated from their id (1, 2, …). Addresses are unique. */
export interface People {
  get(id: number): Person;
  /** Returns the id of a user by address, ignoring case. */
  find(email: string): number | undefined;
}

export function createPeople(count: number): People {
  const plain = new Map<string, number>();
  for (let id = 1; id <= Math.min(MAX_PLAIN_ID, count); id += 1) {
    const { email } = composePerson(id, false);
    if (!plain.has(email)) plain.set(email, id);
  }
  const get = (id: number): Person => {
    const person = composePerson(id, false);
    return plain.get(person.email) === id ? person : composePerson(id, true);
  };
  return {
    get,
    find(email) {
      const normalized = email.trim().toLowerCase();
      const plainId = plain.get(normalized);
      if (plainId) return plainId;
      const id = Number(/\.(\d{1,9})@/.exec(normalized)?.[1] ?? 0);
      return id >= 1 && id <= count && get(id).email === normalized ? id : undefined;
    },
  };
}

/** Returns whether a user confirmed the address: all testers and 90% of the others. */
export const isConfirmed = (id: number): boolean => id <= testers.length || hash(16, id) % 10 > 0;
