package import ValiseAccounts
import ValiseConcurrency

/// What a relay of this process tells.
package enum RelayNote: OperationNote {
    /// It can be reached.
    case listening(String, port: UInt16)
    /// What was sent is on this machine alone, until recipients have told that they received it.
    case servingFile
    case servingAccount
    /// All recipients have received the file.
    case received
    /// Another run has finished or cancelled the move that is served.
    case moveIsOver
    /// The other machine has the account.
    case accountReceived(AccountLocation)

    package var text: String {
        switch self {
        case .listening(let address, let port): "listening on \(address), port \(port)"
        case .servingFile: "the file is stored only on this machine"
        case .servingAccount: "the account is stored only on this machine"
        case .received: "all recipients have received the file"
        case .moveIsOver: "the move is over; its relay was stopped"
        case .accountReceived: "the other machine has received the account"
        }
    }
}
