import type { QuotationWords } from './quotation-words.ts'

const over = 'Süreç sona erdi. Teklif kopyalanabilir.'
const askAgain = 'Sepetinize kopyalayıp yeniden talep edebilirsiniz.'
const agreed = 'Koşullar üzerinde anlaşıldı; siparişler oluşturuluyor.'

/** Names and numbers take no suffixes, which would have to follow their last vowel: what is said of them follows a colon. */
export const turkish: QuotationWords = {
  quotation: (number, name) => `Teklif ${number} “${name}”`,
  heading: (quotation, what) => `${quotation}: ${what}`,
  more: (others) => ` (ve ${others} bildirim daha)`,
  askedBy: 'Talep eden',
  expires: 'Geçerlilik sonu',
  wrote: (name) => `${name} şunu yazdı:`,
  somebody: 'Bir kullanıcı',
  open: 'Teklifi aç',
  why: 'Bu iletiyi, burada tekliflerle alım veya satım yaptığınız için alıyorsunuz.',
  occasions: {
    requested: {
      what: 'biriminizin onayını bekliyor',
      advice: 'Bir şubeniz bu teklifi talep etti. Biriminiz onayladığında satıcıya iletilir.',
    },
    pending: {
      what: 'yanıtınızı bekliyor',
      advice: 'Olduğu gibi onaylayın ya da taslağa alıp koşullarını değiştirin ve gönderin.',
    },
    recalled: {
      what: 'satıcı tarafından değiştiriliyor',
      advice: 'Size daha önce gönderilen koşullar artık geçerli değil. Yenileri hazır olduğunda size haber verilir.',
    },
    offered: {
      what: 'onayınızı bekliyor',
      advice: 'Satıcı size bu teklifi sundu: onaylayabilir veya reddedebilirsiniz.',
    },
    reminded: {
      what: 'hâlâ onayınızı bekliyor',
      advice: 'Satıcı size bu teklifi hatırlatıyor: onaylayabilir veya reddedebilirsiniz.',
    },
    approved: { what: 'onaylandı', advice: agreed },
    rejected: { what: 'reddedildi', advice: `Teklifi satıcı reddetti. ${askAgain}` },
    rejected_by_main: { what: 'reddedildi', advice: `Teklifi ana biriminiz reddetti. ${askAgain}` },
    expired: { what: 'süresi doldu', advice: `Zamanında onaylanmadı. ${askAgain}` },
    accepted: { what: 'sahibi tarafından onaylandı', advice: agreed },
    refused: {
      what: 'sahibi tarafından reddedildi',
      advice: 'Taslağa alıp koşullarını değiştirebilir ve yeniden gönderebilirsiniz.',
    },
    refused_by_main: { what: 'sahibinin ana birimi tarafından reddedildi', advice: over },
    cancelled: { what: 'sahibi tarafından iptal edildi', advice: over },
    order_failed: {
      what: 'bir siparişi ticaret platformunda oluşturulamadı',
      advice:
        'Bu sipariş de teklifin öteki siparişleri de kendiliğinden yeniden denenir. Nedeni hata raporunda belirtilmiştir.',
    },
    order_given_up: {
      what: 'bir siparişi artık kendiliğinden yeniden denenmiyor',
      advice:
        'Ticaret platformu, tüm denemelere karşın siparişi oluşturmadı. Nedeni hata raporunda belirtilmiştir; sipariş oradan yeniden denenebilir.',
    },
    answered: { what: 'sahibi yeni bir yorum yazdı', advice: 'Teklif sayfasından yanıt verebilirsiniz.' },
    commented: { what: 'yeni bir yorum var', advice: 'Teklif sayfasından yanıt verebilirsiniz.' },
    expiring_seller: {
      what: 'süresi 48 saat içinde doluyor',
      advice: 'Henüz onaylanmadı. Süresini uzatabilirsiniz.',
    },
    expiring_owner: {
      what: 'süresi 24 saat içinde doluyor',
      advice: 'Henüz onaylanmadı. Satıcı süresini uzatabilir.',
    },
  },
}
