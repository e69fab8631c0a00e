package import ValiseConcurrency

/// How the terminal shows what work says.
package struct WorkDisplay {
    /// How progress is shown.
    let style: ProgressLine.Style
    /// The text of progress.
    let words: (OperationProgress) -> String
    /// Shows a line that may be silenced.
    let note: (String) -> Void
    /// Shows a line that may not.
    let warn: (String) -> Void
    /// Prints a part of the result.
    let result: (String) throws -> Void

    package init(
        _ style: ProgressLine.Style, words: @escaping (OperationProgress) -> String,
        note: @escaping (String) -> Void, warn: @escaping (String) -> Void,
        result: @escaping (String) throws -> Void
    ) {
        (self.style, self.words, self.note, self.warn) = (style, words, note, warn)
        self.result = result
    }
}
