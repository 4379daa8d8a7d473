export {
  bestPrices,
  pricedProducts,
  pricedProductsIn,
  pricedProductsText,
  type PricedProduct,
} from './best-price-store.ts'
export { myProductRoutes } from './my-products-routes.ts'
export type { PricedFor, PriceList } from './price.ts'
export { priceRoutes } from './routes.ts'
export { PriceListShape } from './schemas.ts'
