import ValiseConcurrency
import ValiseXFTPWire

/// Which chunks of a received file its relays are told of.
enum DownloadReceipt: Sendable {
    case chunks([FileDescription.Chunk])
    /// An earlier run had received the file. Its relays may be unknown yet, and nobody was asked about them in this run.
    case earlier([FileDescription], DescriptionResolving)

    /// Tells the relays.
    /// - Parameter approval: is asked about those of an earlier run.
    func give(_ acknowledgement: Acknowledgement, _ approval: RelayApproval) async {
        switch self {
        case .chunks(let chunks): await acknowledgement.run(chunks)
        case .earlier(let descriptions, let resolving):
            do {
                try await approval.check(descriptions.flatMap(\.relays))
                let files = try await resolving.resolve(descriptions, approval)
                await acknowledgement.run(Self.chunks(descriptions, files))
            } catch let error as FileTransferError where error.kind == .expired {
                // Who acknowledged it already cannot ask for it again.
            } catch {
                acknowledgement.report(
                    .note(
                        TransferNote.warning(
                            .notAcknowledged(chunks: descriptions.reduce(0) { $0 + $1.chunks.count }))))
            }
        }
    }

    /// - Parameter files: what the descriptions are of, behind redirects too.
    static func received(_ descriptions: [FileDescription], _ files: [FileDescription]) -> Self {
        .chunks(chunks(descriptions, files))
    }

    private static func chunks(
        _ descriptions: [FileDescription], _ files: [FileDescription]
    ) -> [FileDescription.Chunk] {
        (files + descriptions.filter { $0.redirect != nil }).flatMap(\.chunks)
    }
}
