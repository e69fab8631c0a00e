package import SystemPackage
package import ValiseChatLog
package import ValiseFiles

extension ChatRedaction {
    private static let largestFile = 1 << 20

    /// Reads a file of rules.
    /// - Throws: `FileError`; ``OperationError``: `invalid` for a line that is no rule.
    package init(rulesAt path: FilePath, fileSystem: FileSystem = FileSystem()) throws {
        let bytes = try fileSystem.contents(of: path, limit: Self.largestFile)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw OperationError(.invalid, "the rules are not UTF-8", subject: path.string)
        }
        do throws(Defect) {
            try self.init(rules: text)
        } catch {
            throw OperationError(.invalid, "line \(error.line): \(error.message)", subject: path.string)
        }
        // Whoever names a file of rules expects that something is kept back.
        guard !isEmpty else {
            throw OperationError(.invalid, "the file has no rule. Nothing was written.", subject: path.string)
        }
    }

    /// Adds what others keep back.
    package mutating func add(_ other: ChatRedaction) {
        categories.formUnion(other.categories)
        replacements += other.replacements
    }
}
