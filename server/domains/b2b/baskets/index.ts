export { fillBasket } from './fill-basket.ts'
export { basketRoutes } from './routes.ts'
export { BasketShape } from './schemas.ts'
export { takeBasket, type BasketLine } from './take-basket.ts'
