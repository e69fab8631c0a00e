import SystemPackage
import ValiseBackups
import ValiseFiles
import ValiseSessionStore
import ValiseStorage

/// What errors call a folder that is restored into, and what is in it: it has another name later, or none.
struct RestoredName {
    /// Of the folder.
    private let folder: String
    /// Stands before a name in it.
    private let lead: String

    /// It gets this name.
    static func target(_ path: FilePath) -> RestoredName {
        RestoredName(folder: path.string, lead: "\(path)/")
    }

    /// Nothing is left of it.
    static func ofSnapshot(_ id: ContentID) -> RestoredName {
        let name = "snapshot \(id.text.prefix(8))"
        return RestoredName(folder: name, lead: "\(name): ")
    }

    /// Runs what may fail.
    ///
    /// - Parameters:
    ///   - folder: as it is called now.
    ///   - body: works with it.
    /// - Throws: whatever `body` throws, about what is known outside.
    func inErrors<Value>(of folder: FilePath, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as SessionStoreError {
            throw SessionStoreError(
                error.kind, error.message, error.subject.map { outside($0, folder) }, cause: error.cause,
                remedy: error.remedy)
        } catch let error as FileError {
            throw FileError(
                error.code, error.message, FilePath(outside(error.path.string, folder)),
                errno: error.errno, remedy: error.remedy)
        } catch let error as BackupError {
            throw BackupError(
                error.code, error.message, error.subject.map { outside($0, folder) }, cause: error.cause,
                remedy: error.remedy)
        }
    }

    private func outside(_ subject: String, _ inside: FilePath) -> String {
        let path = FilePath(subject)
        for root in [inside, PendingFile.partialPath(of: inside)] where path.starts(with: root) {
            let rest = path.components.dropFirst(root.components.count).map(\.string)
            return rest.isEmpty ? folder : lead + rest.joined(separator: "/")
        }
        return subject
    }
}
