export { loginErrors } from './login-errors.ts'
export { loginRoutes, type LogIn } from './routes.ts'
