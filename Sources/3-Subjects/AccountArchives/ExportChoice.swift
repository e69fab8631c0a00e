import ValiseAccounts

/// Which files of an account's folders go into an archive; keeps count of those that do not.
struct ExportChoice {
    private let scope: ArchiveScope
    private let media: SelectedMedia?
    /// What was left out; nil where everything is wanted.
    private(set) var partial: PartialArchive?

    /// - Parameter media: what the database says, for a scope that asks for it.
    init(_ scope: ArchiveScope, _ media: SelectedMedia? = nil) {
        self.scope = scope
        self.media = media
        partial = PartialArchive(scope)
    }

    /// Whether a file is wanted.
    /// - Parameters:
    ///   - name: of the file; nil where it is not UTF-8, so that no message can refer to it.
    ///   - folder: as ``ArchiveLayout`` has it.
    func answer(_ name: String?, in folder: String) -> SelectedMedia.Answer {
        switch scope {
        case .complete: .selected
        case .onlyDatabases: .notSelected
        case .withoutMedia: folder == ArchiveLayout.files ? .notSelected : .selected
        case .media:
            if folder == ArchiveLayout.files {
                name.flatMap { media?.answer($0) } ?? .unreferenced
            } else {
                .selected
            }
        }
    }

    mutating func leaveOut(_ name: String, size: Int64, _ answer: SelectedMedia.Answer) {
        partial?.leaveOut(name, size: size, isUnreferenced: answer == .unreferenced)
    }
}
