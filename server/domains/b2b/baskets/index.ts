export { maxBasketQuantities, type BasketLine } from './basket.ts'
export { basketRoutes } from './routes.ts'
export { BasketShape } from './schemas.ts'
export { fillBasket, takeBasket } from './whole-basket.ts'
