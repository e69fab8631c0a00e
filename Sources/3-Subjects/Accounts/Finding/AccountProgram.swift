/// The program that keeps an account, as far as the place of the account shows it.
package enum AccountProgram: String, Sendable, Codable, CaseIterable {
    /// The desktop app on Linux, as a package or an AppImage, and on macOS.
    case desktop
    case flatpak
    case snap
    /// An AppImage with a home folder of its own beside it.
    case portableAppImage
    /// The terminal client.
    case terminal
    case windowsDesktop
    case windowsTerminal
    /// The iOS app on a Mac.
    case iosOnMac
    case ios
    case android
    case unknown

    /// For the user.
    package var name: String {
        switch self {
        case .desktop: "desktop app"
        case .flatpak: "desktop app (Flatpak)"
        case .snap: "desktop app (Snap)"
        case .portableAppImage: "desktop app (portable AppImage)"
        case .terminal: "terminal client"
        case .windowsDesktop: "desktop app (Windows)"
        case .windowsTerminal: "terminal client (Windows)"
        case .iosOnMac: "iOS app on this Mac"
        case .ios: "iOS app"
        case .android: "Android app"
        case .unknown: "unknown program"
        }
    }
}
