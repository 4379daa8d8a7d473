export { historyRoute } from './history-routes.ts'
export { bookStep, placeOf, refuseDisposition, stepMovements, type StockStep } from './stock-steps.ts'
export {
  makeDocumentStore,
  type DocumentChange,
  type DocumentItem,
  type DocumentRow,
  type StockDocument,
} from './store.ts'
