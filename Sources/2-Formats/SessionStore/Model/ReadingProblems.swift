import ValiseDatabase

/// What of one row cannot be read. A field that has another kind than it should is left out and named here.
final class ReadingProblems {
    private(set) var list: [String] = []

    func add(_ problem: String) { list.append(problem) }

    /// A whole number, which some programs store as one with a fraction of zero.
    func integer(_ stored: Stored<String>, _ name: String) -> Int64? {
        if let exact = stored.value.flatMap({ Int64($0) }) { return exact }
        guard let number = decimal(stored, name) else { return nil }
        guard let whole = Int64(exactly: number) else {
            add("\(name) is no whole number")
            return nil
        }
        return whole
    }

    /// A number.
    func decimal(_ stored: Stored<String>, _ name: String) -> Double? {
        guard let text = stored.value else { return nil }
        guard let number = Double(text), number.isFinite else {
            add("\(name) is no number")
            return nil
        }
        return number
    }

    /// 0 or 1.
    func flag(_ stored: Stored<String>, _ name: String) -> Bool? { integer(stored, name).map { $0 != 0 } }

    /// What is stored in a column, and in a document too.
    func mirrored<Value: Equatable>(_ column: Value?, _ field: Value?, _ name: String) -> Value? {
        if let column, let field, column != field { add("\(name) differs between column and document") }
        return column ?? field
    }
}
