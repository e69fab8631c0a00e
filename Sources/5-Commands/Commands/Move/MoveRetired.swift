import Valise

/// The result when a retired account was removed or restored.
enum MoveRetired {
    /// Prints the result.
    ///
    /// - Parameters:
    ///   - type: the type of the JSON document.
    ///   - mediaLeft: whether media were kept; nil if they are not affected.
    ///   - text: makes the text from the account folder.
    static func tell(
        _ location: AccountLocation, _ output: OutputOptions, type: String, mediaLeft: Bool? = nil,
        text: (String) -> String
    ) throws {
        let folder = location.directory.string
        try output.print(Result(account: folder, mediaLeft: mediaLeft), type: type) {
            text(folder.withoutControls)
        }
    }

    private struct Result: Encodable {
        let account: String
        let mediaLeft: Bool?
    }
}
