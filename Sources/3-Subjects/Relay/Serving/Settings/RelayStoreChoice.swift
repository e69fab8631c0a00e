/// Where a relay keeps its records and where it keeps its bytes: any of the ones with any of the others.
package struct RelayStoreChoice: Hashable, Sendable {
    /// Where records are.
    package enum Records: String, Sendable, CaseIterable {
        /// In memory, with the store log of the official relay.
        case embedded
        /// In a database, for several processes.
        case postgres
    }

    /// Where bodies are.
    package enum Bodies: String, Sendable, CaseIterable {
        /// A file for each.
        case folder
        /// An object for each, in a bucket.
        case s3
    }

    package var records: Records
    package var bodies: Bodies

    package init(records: Records = .embedded, bodies: Bodies = .folder) {
        self.records = records
        self.bodies = bodies
    }

    /// - Parameter text: a word of each with a plus sign between them, such as `postgres+s3`. What is not said is the default:
    ///   `postgres` stands for `postgres+folder`, `s3` for `embedded+s3`.
    /// - Returns: nil for anything else.
    package init?(text: String) {
        var (records, bodies): (Records?, Bodies?)
        for word in text.split(separator: "+", omittingEmptySubsequences: false).map(String.init) {
            if records == nil, bodies == nil, let found = Records(rawValue: word) {
                records = found
            } else if bodies == nil, let found = Bodies(rawValue: word) {
                bodies = found
            } else {
                return nil
            }
        }
        self.init(records: records ?? .embedded, bodies: bodies ?? .folder)
    }

    /// Such as `postgres+s3`; `embedded` where bodies are in a folder.
    package var text: String {
        bodies == .folder ? records.rawValue : "\(records.rawValue)+\(bodies.rawValue)"
    }
}
