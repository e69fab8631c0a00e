import SystemPackage
import ValiseConcurrency
import ValiseFailures
import ValiseFiles

/// The folder with descriptions that may be asked for.
extension FileUpload {
    /// Before anything is sent or removed. A complete upload may have its descriptions there already.
    func checkPlace(_ journal: UploadJournal, isResumed: Bool) async throws {
        if isResumed && journal.state.isComplete { return }
        do {
            try await BlockingExecutor.shared.run { try checkPlace() }
        } catch {
            journal.close()
            throw error
        }
    }

    func checkPlace() throws {
        if let folder = options.descriptions { try DescriptionWriter(fileSystem).checkPlace(folder) }
    }

    /// - Returns: where they are: a run that was killed may have written them into another folder.
    func keepDescriptions(
        of file: UploadedFile, in folder: FilePath, isRepeated: Bool
    ) throws -> FilePath {
        let writer = DescriptionWriter(fileSystem)
        if isRepeated {
            let places = [folder] + options.previousDescriptions
            // What cannot be read is not what that run wrote.
            if let there = places.first(where: { (try? writer.holds(file, in: $0)) == true }) { return there }
        }
        do {
            try writer.write(file, to: folder)
        } catch let error as any Failure {
            throw FileTransferError.noDescriptions(error)
        }
        return folder
    }
}

extension FileTransferError {
    fileprivate static func noDescriptions(_ error: any Failure) -> Self {
        Self(
            .other, error.code,
            "cannot write the file descriptions. The file has been sent to its relays.", cause: error,
            remedy: .chooseDescriptionFolder)
    }
}
