/// How far two words are from each other.
package enum EditDistance {
    /// Whether a word that was typed is likely to mean another one: at most one letter in three is wrong, or a single one.
    package static func isMisspelling(_ typed: String, of meant: String) -> Bool {
        between(typed, meant) <= max(1, typed.count / 3)
    }

    /// How many letters differ, were added, left out, or changed places (Damerau-Levenshtein, restricted).
    package static func between(_ one: String, _ other: String) -> Int {
        let (a, b) = (Array(one), Array(other))
        var rows = [[Int]](repeating: Array(0...b.count), count: a.count + 1)
        for i in a.indices {
            rows[i + 1][0] = i + 1
            for j in b.indices {
                rows[i + 1][j + 1] = min(
                    rows[i][j] + (a[i] == b[j] ? 0 : 1), rows[i][j + 1] + 1, rows[i + 1][j] + 1)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                    rows[i + 1][j + 1] = min(rows[i + 1][j + 1], rows[i - 1][j - 1] + 1)
                }
            }
        }
        return rows[a.count][b.count]
    }
}
