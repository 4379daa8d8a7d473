import { useTranslation } from 'react-i18next'
import { ApiError } from '#api/api-error.ts'
import { ButtonLink } from '../parts/button.tsx'
import { Failed } from '../parts/states.tsx'

/** Every address that no screen has. */
export const Nowhere = () => {
  const { t } = useTranslation('shop')
  return (
    <main>
      <h1 className="visually-hidden">{t('failed.not_found')}</h1>
      <Failed error={new ApiError(location.pathname, { status: 404 })} />
      <p style={{ textAlign: 'center' }}>
        <ButtonLink to="/shop">{t('products.title')}</ButtonLink>
      </p>
    </main>
  )
}

/** A screen that broke, or whose parts could not be fetched. */
export const Crashed = ({ error }: { readonly error: unknown }) => (
  <Failed error={error instanceof ApiError ? error : new ApiError(String(error), {})} retry={() => location.reload()} />
)
