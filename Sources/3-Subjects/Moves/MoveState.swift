/// A state of one side of a move.
package protocol MoveState: Sendable, Equatable, Codable {
    associatedtype Name: RawRepresentable<String>, Hashable, CaseIterable, Sendable

    var name: Name { get }
    var reason: String? { get }
    var step: MoveStep { get }
}

/// What a state's name says of the flow.
protocol FlowName: RawRepresentable<String>, Hashable, Sendable {
    var next: Set<Self> { get }
}

extension SendingState.Name: FlowName {}
extension ReceivingState.Name: FlowName {}

extension MoveState where Name: FlowName {
    /// The next state.
    /// - Throws: ``DeviceMigrationError`` with `wrongState` where the flow does not lead there.
    func moved(to next: Self) throws(DeviceMigrationError) -> Self {
        guard name.next.contains(next.name) else {
            throw DeviceMigrationError(
                .wrongState,
                "a move cannot go from state \(name.rawValue) to \(next.name.rawValue). Nothing was changed.")
        }
        return next
    }
}
