export interface Score {
  player: string
  points: number
}

/** More points first; of equal ones by the player's name. */
export const compareScores = (a: Score, b: Score): number =>
  b.points - a.points || a.player.localeCompare(b.player)

export default function showScore({ player, points }: Score, width = 12): string {
  return player.padEnd(width, '.') + String(points).padStart(4)
}
