/// Finds messages that may be the same ones, among those of the same time.
struct MergeDoubts {
    private let ownID: String?
    private var recent: [(side: MergeDoubt.Side, moment: [String])] = []

    /// More of the same time are not compared.
    private static let most = 256

    init(ownID: String?) { self.ownID = ownID }

    /// - Parameters:
    ///   - merged: the next message.
    ///   - found: gets each earlier one that it may be.
    mutating func add(_ merged: MergedMessage, _ found: (MergeDoubt) throws -> Void) rethrows {
        let message = merged.message
        if recent.last?.side.message.time != message.time || recent.count >= Self.most { recent = [] }
        let moment = MergeKeys.moment(of: message, ownID: ownID)
        let side = MergeDoubt.Side(message: message, stores: merged.stores)
        for other in recent where other.moment == moment {
            let isUnknown = message.identity == nil || other.side.message.identity == nil
            if isUnknown, Set(other.side.stores).isDisjoint(with: merged.stores) {
                try found(MergeDoubt(first: other.side, second: side))
            }
        }
        recent.append((side, moment))
    }
}
