import type { Want } from '#delivery/queue/claim.ts'
import { Schedule } from '#delivery/worker/schedule.ts'
import { Slots } from '#delivery/worker/slots.ts'

/** A schedule, and what its tests do with it. */
export const makeTestSchedule = (capacity = 1_000) => {
  let calls = 0
  const slots = new Slots({ capacity, onRoom: () => schedule.proceed() })
  const schedule: Schedule = new Schedule({
    capacity,
    slots,
    onReady: () => {
      calls += 1
    },
  })
  /** A claim of everything that is wanted, as if each subscription had `due` deliveries due. */
  const claimAll = (due: number): Want[] => {
    const wants = schedule.take()
    for (const want of wants) schedule.claimed(want, Math.min(due, want.limit))
    return wants
  }
  /** Claims for one subscription as much as it may have at once. */
  const fill = (id: number): number => {
    let got = 0
    for (let wants = schedule.take(); wants.length > 0; wants = schedule.take()) {
      for (const want of wants) {
        schedule.claimed(want, want.limit)
        if (want.subscriptionId === id) got += want.limit
      }
    }
    return got
  }
  const end = (id: number, times: number, inTime: boolean): void => {
    for (let time = 0; time < times; time++) slots.complete(id, 0, inTime)
  }
  return { schedule, slots, claimAll, fill, end, calls: () => calls }
}
