import { compareScores, type Score } from './score'

/** The best scores of a game, the best first. */
export class Board {
  private scores: Score[] = []

  constructor(private readonly places: number = 10) {}

  /** Takes a score in; answers its place, or nothing where it is not among the best. */
  submit(player: string, points: number): number | undefined {
    if (!Number.isFinite(points)) {
      throw new RangeError(`no score: ${points}`)
    }
    const score = { player, points }
    this.scores = [...this.scores, score].sort(compareScores).slice(0, this.places)
    const place = this.scores.indexOf(score)
    return place < 0 ? undefined : place + 1
  }

  bestOf(player: string): number | undefined {
    return this.scores.find((score) => score.player === player)?.points
  }

  top<T>(count: number, show: (score: Score) => T): T[] {
    return this.scores.slice(0, count).map(show)
  }
}
