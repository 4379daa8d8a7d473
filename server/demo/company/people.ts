import type { Api, Call, Made } from '../api.ts'
import { branchBuyer, colleagues, mainBuyer, member, operator, otherBuyers, superuser, type Login } from '../logins.ts'

/** The divisions of the buyers, by id. */
export interface Divisions {
  readonly ahsap: number
  readonly kadikoy: number
  readonly ankara: number
  readonly izmir: number
  readonly nordlicht: number
  readonly altona: number
}

/** Who does things in the demo. */
export interface People {
  readonly boss: Call
  readonly operator: Call
  readonly murat: Call
  readonly member: Call
  readonly mainBuyer: Call
  readonly branchBuyer: Call
  readonly selin: Call
  readonly emre: Call
  readonly anna: Call
  readonly lukas: Call
  /** Ids of staff, by whom the stock is moved. */
  readonly staffIds: readonly number[]
  readonly ids: Readonly<Record<'boss' | 'operator' | 'murat' | 'jonas' | 'member', number>>
}

interface DivisionFields {
  readonly name: string
  readonly erp_code: string
  readonly phone_number: string
  readonly address: string
  readonly monthly_order_limit?: string
}

/** Two companies that buy, with their branches. */
export const makeDivisions = async (boss: Call): Promise<Divisions> => {
  const make = async (parent: number | null, fields: DivisionFields): Promise<number> =>
    (await boss<Made>('POST /api/v1/divisions', { parent, ...fields })).id
  const ahsap = await make(null, {
    name: 'Ahşap Ev Mobilya A.Ş.',
    erp_code: 'TR-100',
    phone_number: '+90 212 555 01 00',
    address: 'Büyükdere Cad. 127, Şişli, İstanbul',
  })
  const branch = (name: string, erp_code: string, address: string, monthly_order_limit?: string) =>
    make(ahsap, {
      name,
      erp_code,
      phone_number: `+90 216 555 02 ${erp_code.slice(-2)}`,
      address,
      ...(monthly_order_limit !== undefined && { monthly_order_limit }),
    })
  const kadikoy = await branch('Kadıköy mağazası', 'TR-134', 'Bahariye Cad. 41, Kadıköy, İstanbul', '600000.00')
  const ankara = await branch('Çankaya mağazası', 'TR-106', 'Tunalı Hilmi Cad. 88, Çankaya, Ankara')
  const izmir = await branch('Bornova mağazası', 'TR-135', 'Mustafa Kemal Cad. 5, Bornova, İzmir')
  const nordlicht = await make(null, {
    name: 'Nordlicht Möbel GmbH',
    erp_code: 'DE-200',
    phone_number: '+49 30 5550 100',
    address: 'Torstraße 61, 10119 Berlin',
  })
  const altona = await make(nordlicht, {
    name: 'Filiale Hamburg-Altona',
    erp_code: 'DE-222',
    phone_number: '+49 40 5550 122',
    address: 'Große Bergstraße 164, 22767 Hamburg',
  })
  return { ahsap, kadikoy, ankara, izmir, nordlicht, altona }
}

/** Staff, buyers and those who look after the apps. */
export const makePeople = async (api: Api, boss: Call, divisions: Divisions): Promise<People> => {
  const make = async (login: Login, fields: object): Promise<number> => {
    const { email, password, firstName: first_name, lastName: last_name } = login
    const body = { email, password, first_name, last_name, ...fields }
    return (await boss<Made>('POST /api/v1/users', body)).id
  }
  const { id: bossId } = await boss<Made>('GET /api/v1/auth/me')
  await boss('PATCH /api/v1/auth/me', { first_name: superuser.firstName, last_name: superuser.lastName })
  const turkish = { locale: 'tr', time_zone: 'Europe/Istanbul' }
  const german = { locale: 'en', time_zone: 'Europe/Berlin' }
  const ids = {
    boss: bossId,
    operator: await make(operator, { is_staff: true, ...turkish }),
    murat: await make(colleagues.murat, { is_staff: true, ...turkish }),
    jonas: await make(colleagues.jonas, { is_staff: true, ...german }),
    member: await make(member, turkish),
  }
  await make(mainBuyer, { division: divisions.ahsap, ...turkish })
  await make(branchBuyer, { division: divisions.kadikoy, ...turkish })
  await make(otherBuyers.selin, { division: divisions.ankara, ...turkish })
  await make(otherBuyers.emre, { division: divisions.izmir, ...turkish })
  await make(otherBuyers.anna, { division: divisions.nordlicht, ...german })
  await make(otherBuyers.lukas, { division: divisions.altona, ...german })
  await boss('POST /api/v1/users', {
    email: 'former@lodos.example',
    first_name: 'Kemal',
    last_name: 'Öztürk',
    is_staff: true,
    is_active: false,
    password: 'giden-yolcu-17',
  })
  return {
    boss,
    operator: await api.as(operator),
    murat: await api.as(colleagues.murat),
    member: await api.as(member),
    mainBuyer: await api.as(mainBuyer),
    branchBuyer: await api.as(branchBuyer),
    selin: await api.as(otherBuyers.selin),
    emre: await api.as(otherBuyers.emre),
    anna: await api.as(otherBuyers.anna),
    lukas: await api.as(otherBuyers.lukas),
    staffIds: [ids.operator, ids.murat, ids.jonas],
    ids,
  }
}
