/** Somebody of the demo, as they log in. */
export interface Login {
  readonly email: string
  readonly password: string
  readonly firstName: string
  readonly lastName: string
}

const login = (email: string, password: string, firstName: string, lastName: string): Login => ({
  email,
  password,
  firstName,
  lastName,
})

export const superuser = login('deniz@lodos.example', 'lodos-ruzgari-26', 'Deniz', 'Kaya')
export const operator = login('elif@lodos.example', 'ceviz-masa-1905', 'Elif', 'Demir')
export const mainBuyer = login('zeynep@ahsapev.example', 'mese-dolap-4711', 'Zeynep', 'Arslan')
export const branchBuyer = login('can@ahsapev.example', 'kadikoy-koltuk-34', 'Can', 'Yıldız')
export const member = login('ayse@lodos.example', 'mobil-surum-2026', 'Ayşe', 'Tunç')

/** Those that are shown at each start, with what they are there for. */
export const shownLogins: readonly (readonly [who: string, login: Login])[] = [
  ['Superuser', superuser],
  ['Operator (staff)', operator],
  ['Buyer of a main division', mainBuyer],
  ['Buyer of a branch', branchBuyer],
  ['Member of an organization', member],
]

/** Others of the company, who are there to be seen. Their passwords are made as those above. */
export const colleagues = {
  murat: login('murat@lodos.example', 'depo-rafi-0606', 'Murat', 'Aydın'),
  jonas: login('jonas@lodos.example', 'hamburg-lampe-40', 'Jonas', 'Weber'),
} as const

export const otherBuyers = {
  selin: login('selin@ahsapev.example', 'ankara-sehpa-06', 'Selin', 'Koç'),
  emre: login('emre@ahsapev.example', 'izmir-tabure-35', 'Emre', 'Şahin'),
  anna: login('anna@nordlicht.example', 'birke-regal-1010', 'Anna', 'Schmidt'),
  lukas: login('lukas@nordlicht.example', 'altona-sofa-22', 'Lukas', 'Becker'),
} as const
