import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '#ui/page-title.tsx'
import { languages, setLanguage } from '#ui/texts/i18n.ts'
import { Button } from '../parts/button.tsx'
import { Choice, Field } from '../parts/field.tsx'
import { Refused } from '../parts/states.tsx'
import { useBuyer } from '../queries.ts'
import { chooseScheme, chosenScheme, schemes, type Scheme } from '../scheme.ts'
import { LogOut } from './log-out.tsx'
import { NewPassword } from './new-password.tsx'
import { useSaveMe } from './save-me.ts'
import classes from './account.module.css'

/** Who one is, how the shop speaks and looks, and the way out. */
export const AccountPage = () => {
  const { t } = useTranslation('shop')
  const { me, division } = useBuyer()
  return (
    <div className={classes['account']}>
      <div>
        <PageTitle>{t('account.title')}</PageTitle>
        <p className="muted">{[me.email, division?.name].filter(Boolean).join(' · ')}</p>
      </div>
      <Names />
      <Looks />
      <NewPassword />
      <div>
        <LogOut />
      </div>
    </div>
  )
}

const Names = () => {
  const { t } = useTranslation('shop')
  const { me } = useBuyer()
  const [first, setFirst] = useState(me.first_name)
  const [last, setLast] = useState(me.last_name)
  const saving = useSaveMe()
  const isChanged = first !== me.first_name || last !== me.last_name
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        saving.mutate({ first_name: first, last_name: last })
      }}
    >
      <h2>{t('account.name')}</h2>
      <Field
        label={t('account.first_name')}
        autoComplete="given-name"
        value={first}
        error={saving.error?.fields['first_name']}
        onChange={({ target }) => setFirst(target.value)}
      />
      <Field
        label={t('account.last_name')}
        autoComplete="family-name"
        value={last}
        error={saving.error?.fields['last_name']}
        onChange={({ target }) => setLast(target.value)}
      />
      <Refused error={saving.error} />
      <div className="flex">
        <Button type="submit" isBusy={saving.isPending}>
          {t('save')}
        </Button>
        <span role="status" className="muted">
          {saving.isSuccess && !isChanged && t('saved')}
        </span>
      </div>
    </form>
  )
}

const Looks = () => {
  const { t, i18n } = useTranslation('shop')
  const saving = useSaveMe()
  const [scheme, setScheme] = useState(chosenScheme)
  return (
    <div className="stack">
      <h2>{t('account.looks')}</h2>
      <Choice
        label={t('account.language')}
        value={i18n.language}
        options={languages.map((one) => [one, t(`account.languages.${one}`)])}
        onChoose={(value) => {
          const locale = languages.find((one) => one === value) ?? 'en'
          void setLanguage(locale)
          saving.mutate({ locale })
        }}
      />
      <Refused error={saving.error} />
      <Choice
        label={t('account.scheme')}
        value={scheme}
        options={schemes.map((one) => [one, t(`account.schemes.${one}`)])}
        onChoose={(value) => {
          chooseScheme(value as Scheme)
          setScheme(value as Scheme)
        }}
      />
    </div>
  )
}
