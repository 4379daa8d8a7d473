import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import { useMe } from '#api/session.ts'
import { toastDone, toastFailed } from '#ui/toast.tsx'
import { Editor } from './editor.tsx'
import { settingTable, type SettingName, type Settings } from './settings.ts'
import { useWords } from './use-words.ts'
import classes from './settings.module.css'

interface SettingRowProps {
  readonly name: SettingName
  readonly settings: Settings
}

/** One setting: what it does, what it is, and what it was before anybody set it. */
export const SettingRow = ({ name, settings }: SettingRowProps) => {
  const { t } = useTranslation('settings')
  const { is_superuser: mayChange } = useMe()
  const words = useWords()
  const saving = useSend('patch', '/api/v1/settings')
  const setting = settingTable[name]
  const before = settings[name]
  const put = (value: Settings[SettingName], undo?: () => void): void =>
    saving.mutate(
      { body: { [name]: value } },
      {
        onSuccess: () => toastDone(t('saved', { title: t(`setting.${name}.title`), value: words(value) }), undo),
        onError: toastFailed,
      },
    )
  return (
    <section className={classes['row']} aria-label={t(`setting.${name}.title`)}>
      <div>
        <h2>{t(`setting.${name}.title`)}</h2>
        <p className="muted">{t(`setting.${name}.why`)}</p>
        <p className="small muted">
          <code>{name}</code> · {t(`kind.${setting.kind}`)} · {t('initial', { value: words(setting.initial) })}
        </p>
      </div>
      <Editor
        label={t(`setting.${name}.title`)}
        setting={setting}
        value={before}
        isSaving={saving.isPending}
        off={mayChange ? undefined : t('off')}
        save={(value) => put(value, () => put(before))}
      />
    </section>
  )
}
