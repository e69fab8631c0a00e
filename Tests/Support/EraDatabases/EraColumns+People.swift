/// Tables of who there is: users, contacts, groups and their members.
extension EraColumns {
    static let people = """
        = users
        20220101_initial user_id:P contact_id:I local_display_name:T active_user:I
        20220122_v1_1 created_at:T updated_at:T
        20230111_users_agent_user_id agent_user_id:I
        20230317_hidden_profiles view_pwd_hash:B view_pwd_salt:B show_ntfs:I
        20230705_delivery_receipts send_rcpts_contacts:I send_rcpts_small_groups:I
        20240104_members_profile_update user_member_profile_updated_at:T
        20240430_ui_theme ui_themes:T
        20240920_user_order active_order:I
        20250729_member_contact_requests auto_accept_member_contacts:I
        20260222_chat_relays is_user_chat_relay:I
        20260530_client_services client_service:I
        20260731_user_badges shown_badge_id:I
        = display_names
        20220101_initial user_id:I local_display_name:T ldn_base:T ldn_suffix:I
        20220122_v1_1 created_at:T updated_at:T
        = contacts
        20220101_initial contact_id:P contact_profile_id:I user_id:I local_display_name:T is_user:I
        20220101_initial via_group:I-20250922 created_at:T
        20220122_v1_1 updated_at:T
        20220210_deduplicate_contact_requests xcontact_id:B
        20220818_chat_notifications enable_ntfs:I
        20221019_unread_chat unread_chat:I
        20221024_contact_used contact_used:I
        20221025_chat_settings user_preferences:T
        20221222_chat_ts chat_ts:T
        20230608_deleted_contacts deleted:I
        20230618_favorite_chats favorite:I
        20230705_delivery_receipts send_rcpts:I
        20230913_member_contacts contact_group_member_id:I contact_grp_inv_sent:I
        20230926_contact_status contact_status:T
        20240324_custom_data custom_data:T
        20240430_ui_theme ui_themes:T
        20240501_chat_deleted chat_deleted:I
        20250115_chat_ttl chat_item_ttl:I
        20250526_short_links conn_full_link_to_connect:T conn_short_link_to_connect:T
        20250526_short_links welcome_shared_msg_id:B request_shared_msg_id:B contact_request_id:I
        20250729_member_contact_requests grp_direct_inv_link:T grp_direct_inv_from_group_id:I
        20250729_member_contact_requests grp_direct_inv_from_group_member_id:I
        20250729_member_contact_requests grp_direct_inv_from_member_conn_id:I
        20250729_member_contact_requests grp_direct_inv_started_connection:I
        = contact_profiles
        20220101_initial contact_profile_id:P display_name:T full_name:T properties:T
        20220122_v1_1 created_at:T updated_at:T
        20220302_profile_images image:T
        20220514_profiles_user_id user_id:I
        20220812_incognito_profiles incognito:I
        20220824_profiles_local_alias local_alias:T
        20221025_chat_settings preferences:T
        20230422_profile_contact_links contact_link:T
        20250709_profile_short_descr short_descr:T
        20250802_chat_peer_type chat_peer_type:T
        20260516_supporter_badges badge_proof:B badge_pres_header:B badge_expiry:T
        20260516_supporter_badges badge_type:T badge_verified:I badge_extra:T
        20260516_supporter_badges badge_master_key:B badge_signature:B badge_key_idx:I
        20260603_simplex_name contact_domain:T contact_domain_proof:B
        20260603_simplex_name contact_domain_verified:I
        20260715_profile_description description:T
        = groups
        20220101_initial group_id:P user_id:I local_display_name:T group_profile_id:I
        20220101_initial inv_queue_info:B
        20220122_v1_1 created_at:T updated_at:T
        20220715_groups_chat_item_id chat_item_id:I
        20220818_chat_notifications enable_ntfs:I
        20220822_groups_host_conn_custom_user_profile_id host_conn_custom_user_profile_id:I-20250130
        20221019_unread_chat unread_chat:I
        20221222_chat_ts chat_ts:T
        20230618_favorite_chats favorite:I
        20230705_delivery_receipts send_rcpts:I
        20231009_via_group_link_uri_hash via_group_link_uri_hash:B
        20240104_members_profile_update user_member_profile_sent_at:T
        20240324_custom_data custom_data:T
        20240430_ui_theme ui_themes:T
        20241128_business_chats business_member_id:B business_chat:T business_xcontact_id:B
        20241205_business_chat_members customer_member_id:B
        20250115_chat_ttl chat_item_ttl:I local_alias:T
        20250513_group_scope members_require_attention:I
        20250526_short_links conn_full_link_to_connect:T conn_short_link_to_connect:T
        20250526_short_links conn_link_started_connection:I welcome_shared_msg_id:B
        20250526_short_links request_shared_msg_id:B
        20250704_groups_conn_link_prepared_connection conn_link_prepared_connection:I
        20250801_via_group_link_uri via_group_link_uri:T
        20250919_group_summary summary_current_members_count:I
        20251117_member_relations_vector member_index:I
        20260222_chat_relays use_relays:I creating_in_progress:I relay_own_status:T
        20260222_chat_relays relay_request_inv_id:B relay_request_group_link:T
        20260222_chat_relays relay_request_peer_chat_min_version:I
        20260222_chat_relays relay_request_peer_chat_max_version:I relay_request_failed:I
        20260222_chat_relays relay_request_err_reason:T root_priv_key:B root_pub_key:B
        20260222_chat_relays member_priv_key:B public_member_count:I
        20260429_relay_request_retries relay_request_retries:I relay_request_delay:I
        20260429_relay_request_retries relay_request_execute_at:T
        20260507_relay_inactive_at relay_inactive_at:T
        20260601_relay_sent_web_domain relay_sent_web_domain:T
        20260602_group_roster roster_version:I roster_msg_body:B roster_msg_chat_binding:T
        20260602_group_roster roster_msg_signatures:B roster_sending_owner_gm_id:I roster_broker_ts:T
        20260602_group_roster roster_blob:B
        20260603_simplex_name group_domain_verified:I
        20260629_roster_catchup stored_roster_version:I applied_complete_roster_version:I
        = group_profiles
        20220101_initial group_profile_id:P display_name:T full_name:T properties:T
        20220122_v1_1 created_at:T updated_at:T
        20220302_profile_images image:T
        20220514_profiles_user_id user_id:I
        20221025_chat_settings preferences:T
        20221211_group_description description:T
        20250512_member_admission member_admission:T
        20250709_profile_short_descr short_descr:T
        20260222_chat_relays group_type:T group_link:T public_group_id:B
        20260515_public_group_access group_web_page:T group_domain:T domain_web_page:T
        20260515_public_group_access allow_embedding:I
        20260603_simplex_name group_domain_proof:B
        = group_members
        20220101_initial group_member_id:P group_id:I member_id:B member_role:T
        20220101_initial member_category:T member_status:T invited_by:I sent_inv_queue_info:B
        20220101_initial group_queue_info:B direct_queue_info:B user_id:I local_display_name:T
        20220101_initial contact_profile_id:I contact_id:I
        20220122_v1_1 created_at:T updated_at:T
        20220812_incognito_profiles member_profile_id:I
        20231010_member_settings show_messages:I
        20231030_xgrplinkmem_received xgrplinkmem_received:I
        20231113_group_forward invited_by_group_member_id:I peer_chat_min_version:I
        20231113_group_forward peer_chat_max_version:I
        20240115_block_member_for_all member_restriction:T
        20250513_group_scope support_chat_ts:T support_chat_items_unread:I
        20250513_group_scope support_chat_items_member_attention:I
        20250513_group_scope support_chat_items_mentions:I
        20250513_group_scope support_chat_last_msg_from_member_ts:T
        20250526_short_links member_xcontact_id:B member_welcome_shared_msg_id:B
        20251117_member_relations_vector index_in_group:I member_relations_vector:B
        20260222_chat_relays relay_link:T member_pub_key:B
        20260531_member_removed_at removed_at:T
        20260629_roster_catchup roster_served_version:I
        20260714_member_security_code member_security_code:T
        20260714_member_security_code member_security_code_verified_at:T
        20260727_member_key_sent user_member_key_sent:I
        """
}
